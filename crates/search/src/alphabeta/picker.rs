//! Move ordering: the moves of a position, the most promising first, generated in stages as late as
//! possible.

use std::ops::Range;

use tesuji_eval::plausible::Bar;
use tesuji_shogi::{ExchangeValues, Move, MoveKind, Piece, PieceKind, Position};

use crate::alphabeta::history::{Context, History, PieceTo, piece_to};
use crate::alphabeta::plausible::{Inquiry, Plausibility};
use crate::prior::{MoveWeights, Prior};

/// A move with what speaks for it.
#[derive(Clone, Copy)]
pub struct Scored {
    pub(super) mv: Move,
    /// What it is worth in hundredths of a logit, or of a pawn, once it is rated.
    pub(super) merit: i16,
    score: i32,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killers,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    MakeTactical,
    Tactical,
    Done,
}

/// Gives the moves of a position one by one. The moves lie in a list that all positions of a line
/// share: each picker has the end of it, from where the list was when it began.
pub struct Picker {
    stage: Stage,
    /// The stage after the move of the table.
    first: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; 3],
    killer: usize,
    /// Where this picker's moves begin, the next one, and where those of this stage end.
    start: usize,
    next: usize,
    end: usize,
    /// Captures that lose something, moved to the beginning.
    bad_end: usize,
    /// In quiescence: are checks wanted?
    checks: bool,
    /// Quiet moves below this score are not put in order.
    sort_above: i32,
    /// What the merits of the moves are asked for.
    inquiry: Option<Inquiry>,
    /// The merit of the last move, if it was rated.
    merit: Option<i16>,
}

/// What a picker needs to know of the search around it.
pub struct Knowledge<'a, 'w, P: Prior> {
    pub position: &'a Position,
    pub history: &'a History,
    pub context: Context,
    pub values: &'a ExchangeValues,
    pub use_history: bool,
    pub weights: &'a MoveWeights<'w, P>,
    /// What the moves are for, if that is asked.
    pub plausible: Option<&'a Plausibility>,
}

impl Picker {
    /// All moves, for the search proper.
    pub fn all(
        list: &[Scored],
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 3],
        depth: i32,
    ) -> Self {
        let first = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
        Self::new(list, first, table_move, killers, false, -1500 * depth)
    }

    /// Captures and promotions, for quiescence; all moves in check.
    pub fn tactical(
        list: &[Scored],
        position: &Position,
        table_move: Option<Move>,
        checks: bool,
    ) -> Self {
        let first = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeTactical };
        Self::new(list, first, table_move, [None; 3], checks, i32::MIN)
    }

    fn new(
        list: &[Scored],
        first: Stage,
        table_move: Option<Move>,
        killers: [Option<Move>; 3],
        checks: bool,
        sort_above: i32,
    ) -> Self {
        let start = list.len();
        Self {
            stage: if table_move.is_some() { Stage::Table } else { first },
            first,
            table_move,
            killers,
            killer: 0,
            start,
            next: start,
            end: start,
            bad_end: start,
            checks,
            sort_above,
            inquiry: None,
            merit: None,
        }
    }

    /// The same for moves that are rated.
    #[must_use]
    pub fn rated(mut self, inquiry: Option<Inquiry>) -> Self {
        self.inquiry = inquiry;
        self
    }

    /// The merit of the move that was given last, if it was rated.
    pub const fn merit(&self) -> Option<i16> {
        self.merit
    }

    /// Gives the room in the list back.
    pub fn finish(&self, list: &mut Vec<Scored>) {
        list.truncate(self.start);
    }

    /// The next move, or `None`.
    pub fn next<P: Prior>(
        &mut self,
        list: &mut Vec<Scored>,
        known: &Knowledge<'_, '_, P>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = self.first;
                    return self.table_move;
                }
                Stage::MakeCaptures => {
                    self.make_captures(list, known);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.good_capture(list, known) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.next_killer(known) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    match known.plausible.zip(self.inquiry) {
                        Some((plausible, inquiry)) => {
                            self.make_plausible(list, known, plausible, &inquiry);
                        }
                        None => self.make_quiets(list, known),
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.in_order(list) {
                    Some(mv) if self.killers.contains(&Some(mv)) => {}
                    Some(mv) => {
                        self.merit = self.inquiry.map(|_| list[self.next - 1].merit);
                        return Some(mv);
                    }
                    None => {
                        self.merit = None;
                        (self.next, self.end) = (self.start, self.bad_end);
                        self.stage = Stage::BadCaptures;
                    }
                },
                Stage::BadCaptures => match self.in_order(list) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::MakeEvasions => {
                    self.make_evasions(list, known);
                    self.stage = Stage::Evasions;
                }
                Stage::MakeTactical => {
                    self.make_tactical(list, known);
                    self.stage = Stage::Tactical;
                }
                Stage::Evasions | Stage::Tactical => match self.best(list) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn push(&self, list: &mut Vec<Scored>, moves: &[Move], score: impl Fn(Move) -> Option<i32>) {
        for &mv in moves {
            if Some(mv) == self.table_move {
                continue;
            }
            if let Some(score) = score(mv) {
                list.push(Scored { mv, merit: 0, score });
            }
        }
    }

    fn make_captures<P: Prior>(&mut self, list: &mut Vec<Scored>, known: &Knowledge<'_, '_, P>) {
        let moves = known.position.moves_of(MoveKind::Captures);
        self.push(list, &moves, |mv| Some(capture_score(known, mv)));
        self.end = list.len();
    }

    /// The best capture that loses nothing; others are put aside.
    fn good_capture<P: Prior>(
        &mut self,
        list: &mut [Scored],
        known: &Knowledge<'_, '_, P>,
    ) -> Option<Move> {
        while self.next < self.end {
            let place = best_place(&list[self.next..self.end])?;
            list.swap(self.next, self.next + place);
            let scored = list[self.next];
            self.next += 1;
            if known.position.exchange_at_least(scored.mv, 0, known.values) {
                return Some(scored.mv);
            }
            list.swap(self.bad_end, self.next - 1);
            self.bad_end += 1;
        }
        None
    }

    fn next_killer<P: Prior>(&mut self, known: &Knowledge<'_, '_, P>) -> Option<Move> {
        while self.killer < self.killers.len() {
            let place = self.killer;
            self.killer += 1;
            let Some(mv) = self.killers[place] else { continue };
            let fresh = Some(mv) != self.table_move
                && !self.killers[..place].contains(&Some(mv))
                && known.position.piece_on(mv.to()).is_none()
                && known.position.is_legal(mv);
            if fresh {
                return Some(mv);
            }
            self.killers[place] = None;
        }
        None
    }

    /// Quiet moves and drops behind the captures that were put aside.
    fn make_quiets<P: Prior>(&mut self, list: &mut Vec<Scored>, known: &Knowledge<'_, '_, P>) {
        list.truncate(self.bad_end);
        self.next = list.len();
        for kind in [MoveKind::Quiets, MoveKind::Drops] {
            let moves = known.position.moves_of(kind);
            self.push(list, &moves, |mv| Some(quiet_score(known, mv)));
        }
        self.end = list.len();
        sort_best(&mut list[self.next..self.end], self.sort_above);
    }

    /// The same with moves that are rated: those that are not plausible enough are left out, quiet
    /// ones and captures that were put aside.
    fn make_plausible<P: Prior>(
        &mut self,
        list: &mut Vec<Scored>,
        known: &Knowledge<'_, '_, P>,
        plausible: &Plausibility,
        inquiry: &Inquiry,
    ) {
        // Captures that were given count among the best moves: they stay until all are rated.
        let (given, quiets) = (self.bad_end, list.len());
        for kind in [MoveKind::Quiets, MoveKind::Drops] {
            let moves = known.position.moves_of(kind);
            self.push(list, &moves, |mv| Some(quiet_score(known, mv)));
        }
        let mut bar =
            plausible.rate(known.position, inquiry, self.table_move, &mut list[self.start..]);
        for capture in &list[given..quiets] {
            bar.admits(i32::from(capture.merit));
        }
        self.bad_end = keep(list, self.start..given, self.start, &mut bar);
        let all = quiets..list.len();
        let mut end = keep(list, all, self.bad_end, &mut bar);
        let has_given =
            self.table_move.is_some() || quiets > given || self.killers.iter().any(Option::is_some);
        if end == self.start && !has_given && list.len() > self.start {
            // Something is searched: what is left out alone is no mate.
            let best = list[self.start..].iter().max_by_key(|scored| scored.merit);
            list[self.start] = *best.expect("there are moves");
            end += 1;
        }
        list.truncate(end);
        (self.next, self.end) = (self.bad_end, end);
        add_merit(&mut list[self.next..end], plausible.order);
        sort_best(&mut list[self.next..end], self.sort_above);
    }

    fn make_evasions<P: Prior>(&mut self, list: &mut Vec<Scored>, known: &Knowledge<'_, '_, P>) {
        const CAPTURE: i32 = 1 << 20;
        let moves = known.position.legal_moves();
        self.push(list, &moves, |mv| {
            Some(match known.position.piece_on(mv.to()) {
                Some(_) => CAPTURE + capture_score(known, mv),
                None => quiet_score(known, mv),
            })
        });
        self.end = list.len();
        if let Some((plausible, inquiry)) = known.plausible.zip(self.inquiry) {
            plausible.rate(known.position, &inquiry, self.table_move, &mut list[self.start..]);
            add_merit(&mut list[self.start..], plausible.order);
        }
    }

    fn make_tactical<P: Prior>(&mut self, list: &mut Vec<Scored>, known: &Knowledge<'_, '_, P>) {
        let position = known.position;
        for kind in [MoveKind::Captures, MoveKind::QuietPromotions] {
            let moves = position.moves_of(kind);
            self.push(list, &moves, |mv| Some(capture_score(known, mv)));
        }
        if self.checks {
            let checks = position.moves_of(MoveKind::Checks);
            let quiet = |mv: Move| position.piece_on(mv.to()).is_none() && !mv.is_promotion();
            self.push(list, &checks, |mv| quiet(mv).then(|| quiet_score(known, mv) - (1 << 18)));
        }
        self.end = list.len();
    }

    /// The next move of a list that is in order.
    fn in_order(&mut self, list: &[Scored]) -> Option<Move> {
        let scored = list[..self.end].get(self.next)?;
        self.next += 1;
        Some(scored.mv)
    }

    /// The best move of a list that is in no order.
    fn best(&mut self, list: &mut [Scored]) -> Option<Move> {
        let place = best_place(&list[self.next..self.end])?;
        list.swap(self.next, self.next + place);
        self.next += 1;
        Some(list[self.next - 1].mv)
    }
}

/// Adds merits to what moves are put in order by.
fn add_merit(list: &mut [Scored], weight: i32) {
    for scored in list {
        scored.score += weight * i32::from(scored.merit);
    }
}

/// Moves those of a part of a list that reach a bar to another place, one behind the other; where
/// they end comes back.
fn keep(list: &mut [Scored], part: Range<usize>, mut to: usize, bar: &mut Bar) -> usize {
    for from in part {
        if bar.admits(i32::from(list[from].merit)) {
            list[to] = list[from];
            to += 1;
        }
    }
    to
}

fn best_place(list: &[Scored]) -> Option<usize> {
    let mut best: Option<(usize, i32)> = None;
    for (place, scored) in list.iter().enumerate() {
        if best.is_none_or(|(_, score)| scored.score > score) {
            best = Some((place, scored.score));
        }
    }
    best.map(|(place, _)| place)
}

/// Puts the moves above a score in order, the best first, and leaves the others behind them.
fn sort_best(list: &mut [Scored], above: i32) {
    let mut good = 0;
    for place in 0..list.len() {
        if list[place].score > above {
            list.swap(good, place);
            good += 1;
        }
    }
    list[..good]
        .sort_unstable_by_key(|scored| (std::cmp::Reverse(scored.score), scored.mv.to_u16()));
}

/// MVV with capture history: the most is gained first, then what did well before.
fn capture_score<P: Prior>(known: &Knowledge<'_, '_, P>, mv: Move) -> i32 {
    let mut score = 0;
    if let Some(taken) = known.position.piece_on(mv.to()) {
        score += 16 * known.values.capture(taken.kind());
        if known.use_history {
            score += known.history.capture(piece_to(known.position, mv), taken.kind());
        }
    }
    if mv.is_promotion()
        && let Some(from) = mv.from()
    {
        let kind = known.position.piece_on(from).map(Piece::kind);
        score += 16 * kind.map_or(0, |kind| known.values.promotion(kind));
    }
    score
}

fn quiet_score<P: Prior>(known: &Knowledge<'_, '_, P>, mv: Move) -> i32 {
    let position = known.position;
    let piece: PieceTo = piece_to(position, mv);
    let mut score = known.weights.of(mv);
    if known.use_history {
        score += known.history.quiet(position.side_to_move(), mv, piece, &known.context);
    }
    if mv.is_promotion()
        && let Some(kind) = mv.from().and_then(|from| position.piece_on(from)).map(Piece::kind)
    {
        score += match kind {
            PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => 12_000,
            _ => 4_000,
        };
    }
    score
}

#[cfg(test)]
mod tests {
    use tesuji_eval::moves::Past;
    use tesuji_eval::plausible::{Cut, Development, Merits, Rater, Rating, Scene};

    use super::*;
    use crate::alphabeta::params::AlphaBetaParams;
    use crate::book;
    use crate::prior::NoPrior;

    /// Sees that every legal move is given exactly once; gives them in their order.
    fn all_given<P: Prior>(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 3],
        prior: &P,
    ) -> Vec<u16> {
        let (history, values) = (History::default(), ExchangeValues::default());
        let (context, use_history) = ([None, None], true);
        let weights = &MoveWeights::new(prior, position);
        let (history, values) = (&history, &values);
        let plausible = None;
        let known =
            Knowledge { position, history, context, values, use_history, weights, plausible };
        let mut list = Vec::new();
        let mut picker = Picker::all(&list, position, table_move, killers, 8);
        let mut given = Vec::new();
        while let Some(mv) = picker.next(&mut list, &known) {
            given.push(mv.to_u16());
        }
        picker.finish(&mut list);
        assert!(list.is_empty());
        assert!(table_move.is_none_or(|mv| given[0] == mv.to_u16()));
        let mut expected: Vec<u16> = position.legal_moves().iter().map(|mv| mv.to_u16()).collect();
        let order = given.clone();
        given.sort_unstable();
        expected.sort_unstable();
        assert_eq!(given, expected, "{}", position.to_sfen());
        order
    }

    /// A prior that thinks of one move alone.
    struct Favourite(Move);

    impl Prior for Favourite {
        type Shared<'a> = ();

        fn prepare<'a>(&'a self, _: &'a Position) {}

        fn weight(&self, (): &(), mv: Move) -> i32 {
            if mv == self.0 { 10_000 } else { 0 }
        }
    }

    #[test]
    fn a_prior_changes_the_order_of_quiet_moves() {
        let position = Position::startpos();
        let place = |order: &[u16], mv: Move| order.iter().position(|&m| m == mv.to_u16());
        for mv in &position.legal_moves() {
            let order = all_given(&position, None, [None; 3], &Favourite(mv));
            assert_eq!(place(&order, mv), Some(0), "{mv}");
        }
        let without = all_given(&position, None, [None; 3], &NoPrior);
        let last = position.legal_moves().iter().copied().max_by_key(|&mv| place(&without, mv));
        assert_ne!(place(&without, last.unwrap()), Some(0));
    }

    /// The moves that a picker gives where moves are rated, in their order.
    fn given_of_rated(
        position: &Position,
        killers: [Option<Move>; 3],
        plausible: &Plausibility,
        inquiry: Inquiry,
    ) -> Vec<Move> {
        let (history, values, weights) =
            (History::default(), ExchangeValues::default(), MoveWeights::new(&NoPrior, position));
        let known = Knowledge {
            position,
            history: &history,
            context: [None, None],
            values: &values,
            use_history: true,
            weights: &weights,
            plausible: Some(plausible),
        };
        let mut list = Vec::new();
        let mut picker = Picker::all(&list, position, None, killers, 8).rated(Some(inquiry));
        let given = std::iter::from_fn(|| picker.next(&mut list, &known)).collect();
        picker.finish(&mut list);
        assert!(list.is_empty());
        given
    }

    #[test]
    fn moves_that_are_not_plausible_are_left_out() {
        let mut number: u64 = 5;
        for plausible in 1..=5 {
            let params = AlphaBetaParams { plausible, plausible_best: 20, ..Default::default() };
            for _ in 0..4 {
                let mut position = Position::startpos();
                let mut past = Past::default();
                for _ in 0..100 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let mv = moves[(number >> 33) as usize % moves.len()];
                    gives_what_the_cut_keeps(&params, &position, past, mv);
                    position = position.after_unchecked(mv);
                    past = past.then(mv);
                }
            }
        }
    }

    /// Compares what a picker gives with what is kept of the ratings of all moves: beside that it
    /// gives killers and captures that lose nothing.
    fn gives_what_the_cut_keeps(
        params: &AlphaBetaParams,
        position: &Position,
        past: Past,
        killer: Move,
    ) {
        let plausible = Plausibility::new(params, position, None, [None; 2]).expect("it is on");
        let inquiry = Inquiry { past, plies: 3, cuts: true };
        let given = given_of_rated(position, [Some(killer), None, None], &plausible, inquiry);
        let moves = position.legal_moves();
        let development = Development::new(book::lore(), position, [None; 2]);
        let scene = Scene::new(position, past, &development);
        let merits = Merits::shipped();
        let rater = Rater::new(&scene, &merits, scene.asked(true));
        let standings: Vec<i32> = rater.rate_all(&moves).iter().map(Rating::standing).collect();
        let bar = params.cut().map_or(Bar::NONE, |cut| cut.bar(&mut standings.clone()));
        for (mv, standing) in moves.into_iter().zip(standings) {
            let takes = position.piece_on(mv.to()).is_some();
            let gains = takes && position.exchange_at_least(mv, 0, &ExchangeValues::default());
            let never_cut = position.in_check() || gains || (mv == killer && !takes);
            let expected = usize::from(never_cut || standing >= bar.least);
            let times = given.iter().filter(|&&one| one == mv).count();
            // Of equals some may be left out, and if nothing is left, one of the best is given.
            let is_open = standing == bar.least || given.len() == 1;
            assert!(times == expected || is_open, "{mv} in {}: {times} times", position.to_sfen());
        }
        if let Some(Cut::Best(count)) = params.cut()
            && !position.in_check()
        {
            let free =
                given.iter().filter(|&&mv| mv == killer || position.piece_on(mv.to()).is_some());
            assert!(given.len() <= count + free.count(), "{}", position.to_sfen());
        }
        // Whoever wants all moves gets them.
        let all = Inquiry { cuts: false, ..inquiry };
        let given = given_of_rated(position, [None; 3], &plausible, all);
        assert_eq!(given.len(), moves.len());
    }

    #[test]
    fn every_legal_move_is_given_once() {
        let mut number: u64 = 9;
        let mut killers = [None; 3];
        for _ in 0..30 {
            let mut position = Position::startpos();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut random = || {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    moves[(number >> 33) as usize % moves.len()]
                };
                let (table_move, mv) = (random(), random());
                killers[(mv.to_u16() % 3) as usize] = Some(random());
                all_given(&position, None, killers, &NoPrior);
                all_given(&position, Some(table_move), killers, &Favourite(mv));
                position = position.after_unchecked(mv);
            }
        }
    }
}
