//! The page of a scan: what an evaluation does not know, for whoever maintains it.

use tesuji_report::{
    Axis, BoardFigure, Cell, Column, KeyFigure, Lang, LineChart, Page, Series, Table, number,
};
use tesuji_shogi::Color;

use super::super::curve::Curve;
use super::outcome::{Board, Finding, ScanOutcome};

impl ScanOutcome {
    /// The page.
    pub fn page(&self) -> Page {
        let name = self.plan.values.source.name();
        let mut page = Page::new(&format!("What {name} does not know"), Lang::English);
        page.lead(&format!(
            "{} games with a result, {} positions. A right evaluation predicts who wins whatever \
             else is true of a position; these are the conditions under which this one does not.",
            number::count(self.games),
            number::count(self.positions)
        ));
        page.key_figures(&[
            KeyFigure::new(&number::count(self.tried as u64), "conditions tried"),
            KeyFigure::new(&number::count(self.significant as u64), "surely wrong")
                .note(&format!("of {} tests, corrected", number::count(self.tests as u64))),
            KeyFigure::new(&format!("{:.0}", self.scale), "centipawns of a logit"),
        ]);
        self.summary(&mut page);
        for (number, finding) in (1..).zip(&self.findings) {
            self.finding(&mut page, number, finding);
        }
        self.method(&mut page);
        page
    }

    fn summary(&self, page: &mut Page) {
        page.section("The worst");
        if self.findings.is_empty() {
            page.paragraph("Nothing was found that chance alone would not do.");
            return;
        }
        let mut table = Table::new([
            Column::number(""),
            Column::text("condition, for Black"),
            Column::number("worth to who has it"),
            Column::number("split"),
            Column::number("positions"),
            Column::number("games"),
            Column::number("p"),
        ]);
        for (number, finding) in (1..).zip(&self.findings) {
            table.row([
                Cell::count(number),
                Cell::text(finding.when()),
                Cell::text(&finding.worth()),
                finding.split.map_or_else(Cell::empty, |split| Cell::number(split, 3)),
                Cell::count(finding.positions),
                Cell::count(finding.games),
                Cell::text(&chance(finding.p)),
            ]);
        }
        page.table(&table);
        page.paragraph(
            "Worth: what is to be added to the evaluation, in centipawns, for the player for whom \
             the condition holds, with its standard error. Split: how far the curves part, in \
             logits. p: how likely chance alone does as much, corrected for all tests.",
        );
    }

    fn finding(&self, page: &mut Page, number: u64, finding: &Finding) {
        page.section(&format!("{number}. {}", finding.when()));
        let verb = if finding.shift > 0.0 { "too little" } else { "too much" };
        page.paragraph(&format!(
            "The evaluation says {verb}: a player for whom this holds has {} centipawns beside \
             what it says. {} positions of {} games; with the findings above allowed for, chance \
             alone does as much with {}.",
            finding.worth(),
            number::count(finding.positions),
            number::count(finding.games),
            chance(finding.beyond)
        ));
        let curves = self.chart(finding);
        page.figure(&curves, "Win ratio by value, as the player sees it; bands are 95 % by game.");
        let boards: Vec<(BoardFigure, String)> =
            finding.boards.iter().map(|board| board.figure(self.scale)).collect();
        page.gallery(|page| {
            for (figure, caption) in &boards {
                page.figure(figure, caption);
            }
        });
    }

    /// The curve of a finding beside that of all positions.
    fn chart(&self, finding: &Finding) -> LineChart {
        let series = |name: &str, curve: &Curve| {
            let cells: Vec<(f64, f64, f64)> = curve
                .enough(self.plan.min_count)
                .filter(|(_, cell)| cell.mean().abs() <= SHOWN)
                .map(|(_, cell)| (cell.mean(), cell.ratio(), 1.96 * cell.error()))
                .collect();
            let band = cells.iter().map(|&(x, y, e)| (x, (y - e).max(0.0), (y + e).min(1.0)));
            Series::new(name, cells.iter().map(|&(x, y, _)| (x, y))).band(band.collect::<Vec<_>>())
        };
        LineChart::new(Axis::new("value in centipawns"), Axis::new("win ratio"))
            .series(series("all positions", &self.all))
            .series(series("with the condition", &finding.curve))
            .reference(0.5, "even")
    }

    fn method(&self, page: &mut Page) {
        page.section("How this was found");
        page.paragraph(&format!(
            "A condition is written for Black and tried for both players; it counts where it holds \
             for one of them alone. What these players score more than positions of the same value \
             do is summed game by game; games are the observations, so that many positions of one \
             game count as one. p values are by Student's test and corrected by Holm for {} tests. \
             Pairs were chosen by one half of the games and tested on the other. Each condition \
             that is named tells something beyond those before it; the first is the one whose \
             shift is surely the largest, by two standard errors. Boards are those where the \
             finding changes the chance most, in games that went that way.",
            number::count(self.tests as u64)
        ));
    }
}

/// Values that are drawn, to either side.
const SHOWN: f64 = 2500.0;

/// A small chance as text.
fn chance(p: f64) -> String {
    if p < 1e-15 { "< 1e-15".to_owned() } else { format!("{p:.1e}") }
}

impl Finding {
    /// What is to be added for the player who has the condition, with its error.
    fn worth(&self) -> String {
        format!("{} ± {}", number::signed(-self.shift_cp(), 0), number::fixed(self.error_cp(), 0))
    }
}

impl Board {
    /// The board, and a line below it.
    fn figure(&self, scale: f64) -> (BoardFigure, String) {
        let position = &self.position;
        let said = 1.0 / (1.0 + (-f64::from(self.value) / scale).exp());
        let player = if position.side_to_move() == Color::Black { "Black" } else { "White" };
        let caption = format!(
            "Game {}, move {}, {player} to move. Said {} ({} for who has it); that player {}.",
            self.game + 1,
            position.ply(),
            number::signed(f64::from(self.value), 0),
            number::percent(said, 0),
            if self.points > 0.5 { "won" } else { "lost" }
        );
        (BoardFigure::new(position), caption)
    }
}
