//! Habits: what a player does in whole games, counted and not learned.

use serde::{Deserialize, Serialize};
use tesuji_eval::formations::Formations;
use tesuji_math::stats::{Group, fisher, welch};
use tesuji_report::number;
use tesuji_shogi::{Color, Move, PieceKind, Position};

use super::data::Outing;

/// Own moves that are the opening.
const OPENING: usize = 20;
/// Castles that fewer build are not compared.
const RARE: f64 = 0.05;

/// How a habit is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Games in which it is so.
    Share,
    /// A mean over games.
    Mean,
    /// A mean of shares.
    MeanShare,
}

/// A habit: its name, how it is counted, and what it says.
struct Habit {
    name: &'static str,
    kind: Kind,
    /// With `{}` where the numbers of the player stand.
    says: &'static str,
}

const fn habit(name: &'static str, kind: Kind, says: &'static str) -> Habit {
    Habit { name, kind, says }
}

/// All but the castles, in the order of [`Habits::values`].
const HABITS: [Habit; 16] = [
    habit(
        "opens-7g7f",
        Kind::Share,
        "opens with the bishop's pawn (7g7f) in {} of the games as Black",
    ),
    habit(
        "opens-2g2f",
        Kind::Share,
        "opens with the rook's pawn (2g2f) in {} of the games as Black",
    ),
    habit(
        "answers-3c3d",
        Kind::Share,
        "answers with the bishop's pawn (3c3d) in {} of the games as White",
    ),
    habit(
        "answers-8c8d",
        Kind::Share,
        "answers with the rook's pawn (8c8d) in {} of the games as White",
    ),
    habit("first-rook-move", Kind::Mean, "moves the rook first at own move {}"),
    habit("ranging-rook", Kind::Share, "plays a ranging rook in {} of the games"),
    habit("bishops-traded", Kind::Share, "has the bishops traded by ply 40 in {} of the games"),
    habit(
        "begins-trade",
        Kind::Share,
        "takes first when bishops are traded early, in {} of these games",
    ),
    habit("king-moves", Kind::Mean, "makes {} king moves among the first 20"),
    habit("edge-pawns", Kind::Mean, "makes {} edge pawn moves among the first 20"),
    habit("captures-early", Kind::Mean, "captures {} times in the first 20 moves"),
    habit("drops", Kind::MeanShare, "drops a piece in {} of the moves"),
    habit("captures", Kind::MeanShare, "captures in {} of the moves"),
    habit("checks", Kind::MeanShare, "gives check with {} of the moves"),
    habit("promotions-refused", Kind::MeanShare, "does not promote in {} of the moves that could"),
    habit("length", Kind::Mean, "plays games of {} plies"),
];

/// What was done in a game by one side.
#[derive(Clone, PartialEq, Debug)]
pub struct Habits {
    /// One number for each habit, where the game says something of it.
    values: [Option<f64>; HABITS.len()],
    /// The family of castles that stood at ply 40, if the game was so long: none is a kind too.
    castle: Option<&'static str>,
}

/// A habit of a player, compared.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The player's share or mean.
    pub player: f64,
    /// That of the others.
    pub others: f64,
    /// The standard error of the difference.
    pub error: f64,
    /// Games of the player that say something of it.
    pub games: usize,
    /// The chance of so large a difference if there is none.
    pub p: f64,
    /// What it says of the player, beside the others.
    pub text: String,
}

/// Follows the moves of one side through a game.
pub fn measure(moves: &[Move], color: Color) -> Habits {
    let mut counter = Counter::default();
    let mut position = Position::startpos();
    let mut castle = None;
    for (ply, &mv) in moves.iter().enumerate() {
        let next = position.after_unchecked(mv);
        counter.add(&position, mv, &next, position.side_to_move() == color);
        position = next;
        if ply + 1 == 2 * OPENING {
            castle = Some(standing(&position, color));
            counter.opening_ends();
        }
    }
    Habits { values: counter.values(moves, color), castle }
}

/// The family of the castle that stands.
fn standing(position: &Position, color: Color) -> &'static str {
    let castle = Formations::shipped().standing(position, color);
    castle.map_or("no castle", |castle| &*castle.family)
}

/// What is counted on the way.
#[derive(Default)]
struct Counter {
    own: usize,
    drops: usize,
    captures: usize,
    checks: usize,
    promotable: usize,
    refused: usize,
    king: usize,
    edge: usize,
    first_rook: Option<usize>,
    ranging: bool,
    /// Who took a bishop in the opening, in order: the player or the opponent.
    bishops: Vec<bool>,
    /// Captures, king moves and edge pawns of the opening, once it is over.
    opening: Option<[usize; 3]>,
}

impl Counter {
    fn add(&mut self, before: &Position, mv: Move, after: &Position, own: bool) {
        let taken = before.piece_on(mv.to());
        if self.opening.is_none()
            && taken.is_some_and(|piece| piece.kind().unpromoted() == PieceKind::Bishop)
        {
            self.bishops.push(own);
        }
        if !own {
            return;
        }
        self.own += 1;
        self.drops += usize::from(mv.is_drop());
        self.captures += usize::from(taken.is_some());
        self.checks += usize::from(after.in_check());
        let color = before.side_to_move();
        let Some((from, piece)) = mv.from().and_then(|from| Some((from, before.piece_on(from)?)))
        else {
            return;
        };
        let (from, to) = (from.seen_by(color), mv.to().seen_by(color));
        let kind = piece.kind();
        let zone = from.rank() <= 3 || to.rank() <= 3;
        // Where a piece must promote there is nothing to refuse.
        if kind.can_promote() && zone && to.rank() > kind.dead_ranks() {
            self.promotable += 1;
            self.refused += usize::from(!mv.is_promotion());
        }
        self.king += usize::from(kind == PieceKind::King);
        self.edge += usize::from(kind == PieceKind::Pawn && matches!(to.file(), 1 | 9));
        if kind == PieceKind::Rook {
            self.first_rook.get_or_insert(self.own);
            let swung = to.rank() == 8 && (5..=8).contains(&to.file());
            self.ranging |= swung && self.own <= OPENING;
        }
    }

    fn opening_ends(&mut self) {
        self.opening = Some([self.captures, self.king, self.edge]);
    }

    fn values(&self, moves: &[Move], color: Color) -> [Option<f64>; HABITS.len()] {
        let yes = |yes: bool| f64::from(u8::from(yes));
        let share = |part: usize, all: usize| (all > 0).then(|| part as f64 / all as f64);
        let first = |side: Color, text: &str| {
            let mv = moves.get(side.index()).filter(|_| color == side)?;
            Some(yes(mv.to_string() == text))
        };
        let opening = |number: usize| self.opening.map(|counts| counts[number] as f64);
        let traded = self.bishops.contains(&true) && self.bishops.contains(&false);
        [
            first(Color::Black, "7g7f"),
            first(Color::Black, "2g2f"),
            first(Color::White, "3c3d"),
            first(Color::White, "8c8d"),
            self.first_rook.map(|number| number as f64),
            self.opening.map(|_| yes(self.ranging)),
            self.opening.map(|_| yes(traded)),
            self.opening.filter(|_| traded).map(|_| yes(self.bishops[0])),
            opening(1),
            opening(2),
            opening(0),
            share(self.drops, self.own),
            share(self.captures, self.own),
            share(self.checks, self.own),
            share(self.refused, self.promotable),
            Some(moves.len() as f64),
        ]
    }
}

/// Compares the habits of a player with those of others. Habits that neither has anything to say
/// of are left out.
pub fn compare(player: &[&Outing], others: &[&Outing]) -> Vec<Compared> {
    let mut compared = Vec::new();
    for (number, habit) in HABITS.iter().enumerate() {
        let values = |outings: &[&Outing]| -> Vec<f64> {
            outings.iter().filter_map(|outing| outing.habits.values[number]).collect()
        };
        let [own, of_others] = [values(player), values(others)];
        if own.len() >= 2 && of_others.len() >= 2 {
            compared.push(of_values(habit.name, habit.kind, habit.says, &own, &of_others));
        }
    }
    let castles = |outings: &[&Outing]| -> Vec<&'static str> {
        outings.iter().filter_map(|outing| outing.habits.castle).collect()
    };
    let [own, of_others] = [castles(player), castles(others)];
    let share = |castles: &[&str], kind: &str| {
        castles.iter().filter(|&&castle| castle == kind).count() as f64
            / castles.len().max(1) as f64
    };
    let mut kinds: Vec<&'static str> = own.iter().chain(&of_others).copied().collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.retain(|kind| share(&own, kind) >= RARE || share(&of_others, kind) >= RARE);
    if own.len() < 2 || of_others.len() < 2 {
        return compared;
    }
    for kind in kinds {
        let is = |castles: &[&str]| -> Vec<f64> {
            castles.iter().map(|&castle| f64::from(u8::from(castle == kind))).collect()
        };
        let says = match kind {
            "no castle" => "has no castle at ply 40 in {} of the games".to_owned(),
            kind => {
                let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                format!("stands in {article} {kind} castle at ply 40 in {{}} of the games")
            }
        };
        let name = format!("castle-{}", kind.replace(' ', "-"));
        compared.push(of_values(&name, Kind::Share, &says, &is(&own), &is(&of_others)));
    }
    compared
}

fn of_values(name: &str, kind: Kind, says: &str, own: &[f64], others: &[f64]) -> Compared {
    let [a, b] = [own, others].map(Group::of);
    let yes = |values: &[f64]| values.iter().filter(|&&value| value > 0.5).count() as u64;
    let p = match kind {
        Kind::Share => fisher([yes(own), yes(others)], [own.len() as u64, others.len() as u64]),
        Kind::Mean | Kind::MeanShare => welch(a, b),
    };
    let shown = |value: f64| match kind {
        Kind::Share | Kind::MeanShare => number::percent(value, usize::from(value < 0.1)),
        Kind::Mean => number::fixed(value, usize::from(value < 100.0)),
    };
    let text = format!("{}; others {}", says.replace("{}", &shown(a.mean)), shown(b.mean));
    Compared {
        name: name.to_owned(),
        player: a.mean,
        others: b.mean,
        error: a.error().hypot(b.error()),
        games: own.len(),
        p,
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habits(text: &str, color: Color) -> Habits {
        let moves: Vec<Move> = text.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        measure(&moves, color)
    }

    fn value(habits: &Habits, name: &str) -> Option<f64> {
        habits.values[HABITS.iter().position(|habit| habit.name == name).unwrap()]
    }

    #[test]
    fn what_is_done_is_counted() {
        // Black trades bishops by 8h2b+, White takes back.
        let text = "7g7f 3c3d 8h2b+ 3a2b 2h6h B*4e 5i4h 4e6g+";
        let (black, white) = (habits(text, Color::Black), habits(text, Color::White));
        assert_eq!(value(&black, "opens-7g7f"), Some(1.0));
        assert_eq!(value(&black, "opens-2g2f"), Some(0.0));
        assert_eq!(value(&black, "answers-3c3d"), None);
        assert_eq!(value(&white, "answers-3c3d"), Some(1.0));
        assert_eq!(value(&black, "first-rook-move"), Some(3.0));
        assert_eq!(value(&white, "first-rook-move"), None);
        assert_eq!(value(&white, "drops"), Some(0.25));
        assert_eq!(value(&black, "captures"), Some(0.25));
        assert_eq!(value(&black, "promotions-refused"), Some(0.0));
        assert_eq!(value(&black, "length"), Some(8.0));
        // The game is too short to speak of its opening.
        assert_eq!(value(&black, "ranging-rook"), None);
        assert_eq!(black.castle, None);
    }

    /// Kings and golds that go to and fro for forty plies, after a rook's swing.
    #[test]
    fn openings_of_forty_plies() {
        let mut text = String::from("2h7h 8c8d 1g1f 1c1d ");
        for _ in 0..9 {
            text += "5i4h 5a4b 4h5i 4b5a ";
        }
        let black = habits(&text, Color::Black);
        assert_eq!(value(&black, "ranging-rook"), Some(1.0));
        assert_eq!(value(&black, "king-moves"), Some(18.0));
        assert_eq!(value(&black, "edge-pawns"), Some(1.0));
        assert_eq!(value(&black, "bishops-traded"), Some(0.0));
        assert_eq!(value(&black, "begins-trade"), None);
        assert_eq!(black.castle, Some("no castle"));
        assert_eq!(value(&habits(&text, Color::White), "ranging-rook"), Some(0.0));
    }

    #[test]
    fn shares_are_compared_exactly() {
        let compared =
            of_values("a", Kind::Share, "{} so", &[1.0, 1.0, 1.0, 0.0], &[1.0, 0.0, 0.0, 0.0]);
        assert!((compared.p - 0.485_714).abs() < 1e-5);
        assert_eq!(compared.text, "75 % so; others 25 %");
    }
}
