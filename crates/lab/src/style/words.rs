//! Differences of weights in words.

use tesuji_report::number;

/// Others' weights within so many standard errors of zero have no size to compare with.
const CLEAR: f64 = 3.0;
/// Beyond this nobody counts in per cent.
const TIMES: f64 = 3.0;

/// The weight of a feature, compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared<'a> {
    /// What the feature means, said to a player.
    pub sentence: &'a str,
    /// Is its value never above zero, so that its weight says how much something is disliked?
    pub penalty: bool,
    /// The player's weight.
    pub player: f64,
    /// That of the others, by the same scale.
    pub others: f64,
    /// Its standard error.
    pub others_error: f64,
}

impl Compared<'_> {
    /// What the difference says of the player.
    pub fn text(&self) -> String {
        let thing = self.sentence.trim_end_matches('.');
        if let Some(text) = self.distance(thing) {
            return text;
        }
        // How much the thing is liked.
        let sign = if self.penalty { -1.0 } else { 1.0 };
        let (own, others) = (sign * self.player, sign * self.others);
        let clear = self.others.abs() > CLEAR * self.others_error;
        let more = own > others;
        let size = self.size();
        let verb = match (clear, others > 0.0, own > 0.0) {
            (true, true, true) if more => format!("values {size} more"),
            (true, true, true) => format!("values {size} less"),
            (true, true, false) => "does not value what others do".to_owned(),
            (true, false, false) if more => format!("minds {size} less"),
            (true, false, false) => format!("minds {size} more"),
            (true, false, true) => "does not mind what others do".to_owned(),
            (false, ..) if more => "seeks more than others".to_owned(),
            (false, ..) => "avoids more than others".to_owned(),
        };
        format!("{verb}: “{thing}”")
    }

    /// How large the difference is beside the others' weight.
    fn size(&self) -> String {
        let size = (self.player - self.others).abs() / self.others.abs().max(f64::MIN_POSITIVE);
        if size > TIMES {
            format!("{} times", number::fixed(size + 1.0, 0))
        } else {
            number::percent(size, 0)
        }
    }

    /// Distances are kept, not valued.
    fn distance(&self, thing: &str) -> Option<String> {
        let (pieces, king) = thing.strip_prefix("How far your ")?.split_once(" are from ")?;
        let king = king.replace("your king", "the own king");
        let farther = (self.player > self.others) != self.penalty;
        let where_to = if farther { "farther from" } else { "nearer to" };
        Some(format!("keeps {pieces} {where_to} {king} than others do"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sentence: &str, penalty: bool, player: f64, others: f64) -> String {
        Compared { sentence, penalty, player, others, others_error: 0.01 }.text()
    }

    #[test]
    fn differences_in_words() {
        let gold = "A gold beside the king.";
        assert_eq!(text(gold, false, 0.6, 0.5), "values 20 % more: “A gold beside the king”");
        assert_eq!(text(gold, false, 0.4, 0.5), "values 20 % less: “A gold beside the king”");
        assert_eq!(
            text(gold, false, 0.2, 0.005),
            "seeks more than others: “A gold beside the king”"
        );
        assert_eq!(
            text(gold, false, -0.2, 0.5),
            "does not value what others do: “A gold beside the king”"
        );
        assert_eq!(text(gold, true, 0.6, 0.5), "minds 20 % more: “A gold beside the king”");
        assert_eq!(text(gold, true, 3.0, 0.5), "minds 6 times more: “A gold beside the king”");
        let far = "How far your golds are from your king.";
        assert_eq!(
            text(far, false, -0.2, 0.1),
            "keeps golds nearer to the own king than others do"
        );
        let far = "How far your rooks are from the enemy king.";
        assert_eq!(
            text(far, false, 0.2, 0.1),
            "keeps rooks farther from the enemy king than others do"
        );
    }
}
