//! The slow twin of alpha-beta: plain negamax that leaves nothing out. With every technique off both
//! give the same scores; with all of them on, moves are legal and mates are kept.
//!
//! Most positions are searched with an evaluation for which every capture loses: quiescence is the
//! evaluation then, but for evasions, and the twin can see farther.

use tesuji_eval::PieceTables;
use tesuji_search::mate::mate_in_one;
use tesuji_search::positions::POSITIONS;
use tesuji_search::score::{INFINITE, MATE, SUPERIOR, is_mate, mate_in, mated_in};
use tesuji_search::{
    AlphaBeta, AlphaBetaParams, Evaluator, Limits, Material, SearchResult, Searcher, Stop, Tables,
};
use tesuji_shogi::{
    BoardChange, EnteringKingRule, ExchangeValues, Game, KeyHistory, Move, MoveKind, Outcome,
    PieceKind, Position, Repetition,
};

/// Leaves that a search of the twin may have, by its width.
const LEAVES: usize = 10_000;

/// Plain negamax: every move to the same depth. At the leaves quiescence, with bounds, since without
/// them it does not end in our lifetime, and with nothing else.
struct Negamax<'a, E> {
    evaluator: &'a E,
    keys: KeyHistory,
}

impl<E: Evaluator> Negamax<'_, E> {
    /// The score of the current position of a game, all lines being so long.
    fn root(evaluator: &E, game: &Game, depth: u32) -> i32 {
        let mut negamax = Negamax { evaluator, keys: game.history().clone() };
        negamax.search(game.position(), 0, depth)
    }

    /// Plays a move and gives the score that `then` has for what follows, unless the rules decide.
    fn after(
        &mut self,
        position: &Position,
        mv: Move,
        ply: usize,
        then: impl FnOnce(&mut Self, &Position) -> i32,
    ) -> i32 {
        let next = position.after_unchecked(mv);
        self.keys.push(&next);
        let score = self.decided(&next, ply + 1).unwrap_or_else(|| then(self, &next));
        self.keys.pop();
        -score
    }

    fn search(&mut self, position: &Position, ply: usize, depth: u32) -> i32 {
        if depth == 0 {
            return self.quiescence(position, ply, -INFINITE, INFINITE);
        }
        let mut best = mated_in(ply);
        for mv in &position.legal_moves() {
            let then = |this: &mut Self, next: &_| this.search(next, ply + 1, depth - 1);
            best = best.max(self.after(position, mv, ply, then));
        }
        best
    }

    /// Captures and promotions that lose nothing, or the evaluation; in check every move.
    fn quiescence(&mut self, position: &Position, ply: usize, alpha: i32, beta: i32) -> i32 {
        let values = self.evaluator.exchange_values();
        let mut moves: Vec<Move> = Vec::new();
        let mut best = mated_in(ply);
        if position.in_check() {
            moves.extend(&position.legal_moves());
        } else {
            best = self.evaluator.evaluate(position);
            for kind in [MoveKind::Captures, MoveKind::QuietPromotions] {
                moves.extend(&position.moves_of(kind));
            }
            moves.retain(|&mv| position.exchange_at_least(mv, 0, values));
            let worth =
                |mv: &Move| position.piece_on(mv.to()).map(|taken| values.capture(taken.kind()));
            moves.sort_by_key(|mv| std::cmp::Reverse(worth(mv)));
        }
        for mv in moves {
            if best >= beta {
                break;
            }
            let alpha = alpha.max(best);
            let then = |this: &mut Self, next: &_| this.quiescence(next, ply + 1, -beta, -alpha);
            best = best.max(self.after(position, mv, ply, then));
        }
        best
    }

    /// What the rules decide.
    fn decided(&self, position: &Position, ply: usize) -> Option<i32> {
        match self.keys.repetition(32) {
            Repetition::None => {}
            Repetition::Draw => return Some(0),
            Repetition::Win => return Some(mate_in(ply)),
            Repetition::Loss => return Some(mated_in(ply)),
            Repetition::Superior => return Some(SUPERIOR),
            Repetition::Inferior => return Some(-SUPERIOR),
        }
        match position.declaration(EnteringKingRule::default())?.outcome {
            Outcome::Win(winner) if winner == position.side_to_move() => Some(mate_in(ply + 1)),
            Outcome::Win(_) => Some(mated_in(ply)),
            Outcome::Draw | Outcome::Unknown => None,
        }
    }
}

/// An evaluation for which every capture and every promotion is a losing exchange.
struct Calm<E> {
    evaluator: E,
    values: ExchangeValues,
}

impl<E> Calm<E> {
    fn new(evaluator: E) -> Self {
        let board = PieceKind::ALL.map(|kind| if kind.is_promoted() { -2 } else { -1 });
        Self { evaluator, values: ExchangeValues::new(board, [-1; 7]) }
    }
}

impl<E: Evaluator> Evaluator for Calm<E> {
    type State = E::State;

    fn init(&self, position: &Position, slot: &mut E::State) {
        self.evaluator.init(position, slot);
    }

    fn push(
        &self,
        parent: &E::State,
        slot: &mut E::State,
        before: &Position,
        change: &BoardChange,
        after: &Position,
    ) {
        self.evaluator.push(parent, slot, before, change, after);
    }

    fn score(&self, line: &mut [E::State], position: &Position) -> i32 {
        self.evaluator.score(line, position)
    }

    fn exchange_values(&self) -> &ExchangeValues {
        &self.values
    }
}

/// Every technique off: what remains is alpha-beta, principal variation search, the order of moves
/// and quiescence without checks and delta pruning.
fn plain() -> AlphaBetaParams {
    AlphaBetaParams {
        aspiration: 0,
        quiescence_checks: 0,
        delta_margin: 2 * MATE,
        null_move: 0,
        reverse_futility_depth: 0,
        futility_pruning_depth: 0,
        razor_depth: 0,
        probcut: 0,
        multi_cut: 0,
        lmp: 0,
        lmr: 0,
        see_depth: 0,
        iir: 0,
        check_extension: 0,
        one_reply_extension: 0,
        recapture_extension: 0,
        promotion_extension: 0,
        mate_threat_extension: 0,
        singular: 0,
        mate_in_one: 0,
        mate_nodes: 0,
        ..AlphaBetaParams::default()
    }
}

/// Random games of at most so many plies from many starts, with the depth that the twin can afford
/// where they end: at most `most`. A game ends early where `ends` says so.
fn games_until(
    count: usize,
    plies: usize,
    most: u32,
    ends: impl Fn(&Position) -> bool,
) -> Vec<(Game, u32)> {
    let mut number: u64 = 17;
    let mut random = |below: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (number >> 33) as usize % below
    };
    let mut games = Vec::new();
    while games.len() < count {
        let start = POSITIONS[random(POSITIONS.len())];
        let mut game = Game::new(Position::from_sfen(start).unwrap());
        for _ in 0..random(plies) {
            let moves = game.position().legal_moves();
            if ends(game.position())
                || moves.is_empty()
                || game.play(moves[random(moves.len())]).is_err()
            {
                break;
            }
        }
        let width = game.position().legal_moves().len();
        let depth = (1..=most).rev().find(|&depth| width.pow(depth) <= LEAVES);
        if let Some(depth) = depth.filter(|_| width > 0) {
            games.push((game, depth));
        }
    }
    games
}

fn games(count: usize, plies: usize, most: u32) -> Vec<(Game, u32)> {
    games_until(count, plies, most, |_| false)
}

fn search<E: Evaluator + Send>(engine: &mut AlphaBeta<E>, game: &Game, depth: u32) -> SearchResult {
    engine.clear();
    engine.search(game, &Limits::depth(depth), Stop::never(), &mut |_| {})
}

fn scores_are_equal<E: Evaluator + Send>(make: impl Fn() -> E, games: Vec<(Game, u32)>) {
    let evaluator = make();
    let mut engine = AlphaBeta::new(make(), 0);
    *engine.params() = plain();
    for (game, depth) in games {
        let expected = Negamax::root(&evaluator, &game, depth);
        let found = search(&mut engine, &game, depth);
        assert_eq!(found.score, expected, "depth {depth}, {}", game.position().to_sfen());
    }
}

fn tables() -> Tables {
    Tables::new(PieceTables::named("tables").unwrap())
}

#[test]
fn scores_are_those_of_plain_negamax() {
    scores_are_equal(|| Calm::new(Material::default()), games(300, 60, 3));
    scores_are_equal(|| Calm::new(tables()), games(60, 60, 3));
}

#[test]
fn so_they_are_with_captures_played_out() {
    scores_are_equal(Material::default, games(40, 6, 1));
    scores_are_equal(tables, games(20, 6, 1));
}

#[test]
fn with_all_techniques_moves_are_legal_and_mates_are_kept() {
    let twin = Calm::new(Material::default());
    let mut engine = AlphaBeta::new(Material::default(), 4);
    let mut mates = 0;
    let near_mate = games_until(100, 200, 3, |position| {
        !position.in_check() && mate_in_one(position).is_some()
    });
    for (game, depth) in games(200, 60, 3).into_iter().chain(near_mate) {
        let sfen = game.position().to_sfen();
        let found = search(&mut engine, &game, depth);
        assert!(game.position().is_legal(found.best.unwrap()), "{sfen}");
        for line in &found.lines {
            let mut game = game.clone();
            assert!(line.pv.iter().all(|&mv| game.play(mv).is_ok()), "{sfen}: {:?}", line.pv);
        }
        let proved = Negamax::root(&twin, &game, depth);
        if is_mate(proved) {
            mates += 1;
            assert!(is_mate(found.score), "{sfen}: {} and {proved}", found.score);
            assert_eq!(found.score > 0, proved > 0, "{sfen}");
        }
    }
    assert!(mates > 50, "{mates}");
}
