//! Positional maps: what it is worth that a kind of piece stands on a square, whatever is being
//! built. They are fitted to the results of games (logistic regression), beside material, so that a
//! square is worth what it has won.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use rayon::prelude::*;
use tesuji_eval::formations::maps::Values;
use tesuji_eval::progress::Progress;
use tesuji_learn::pool;
use tesuji_math::optimise::Lbfgs;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_run::Context;
use tesuji_search::{Evaluator, Material};
use tesuji_shogi::{Color, Outcome, PieceKind, Position, Square};

use crate::data::positions::in_parallel;

/// Plain kinds, each of which has a map.
const KINDS: usize = 8;
/// The furthest rank that the maps know. Beyond it pieces stand because they were dropped or broke
/// through, and a map would send a piece there from hand for what others had won before.
const FURTHEST: u8 = 5;
/// What stands for all squares beyond, for the hand, and for all squares at home: squares that are
/// beyond themselves. A square of the map is compared with the others at home alone; otherwise one
/// where pieces are only ever dropped would be praised for having the piece.
const BEYOND: usize = 0;
const HAND: usize = 1;
const HOME: usize = 2;
/// Progress from which a position is not looked at.
const LATEST: f64 = 0.4;
/// A number for each kind and square, then what a hundred centipawns are worth, and the move.
const MATERIAL: usize = KINDS * Square::COUNT;
const MOVE: usize = MATERIAL + 1;
const NUMBERS: usize = MOVE + 1;
/// The first ply that is looked at, and how many plies lie between two.
const FIRST_PLY: usize = 8;
const EVERY: usize = 6;
/// One game in so many is held out.
const HELD_OUT: u64 = 10;
/// L2 regularisation. It holds back squares on which a kind is seldom seen: a square's own weight is
/// a quarter of the positions with a piece there.
const L2: f64 = 1000.0;
/// The most steps of the fit.
const STEPS: usize = 120;
/// Units of a map for one log-odd: so a unit is worth about as much as one of a castle map.
const UNITS: f64 = 100.0;
/// Positions whose gradients are added up in one piece.
const PIECE: usize = 4096;

/// Positional maps, and how well they were found to tell results.
#[derive(Clone, Debug)]
pub struct Positional {
    /// By plain kind; zero is the mean over the squares where masters had it.
    pub maps: BTreeMap<PieceKind, Values>,
    /// Positions that were learned from, and positions of other games.
    pub positions: [u64; 2],
    /// The mean logarithmic loss on those of other games: by material alone, and with the maps.
    pub held_out: [f64; 2],
}

/// A position: which kinds stand on which squares of whose board, and who won.
struct Row {
    /// The number of a kind and square, and its sign.
    pieces: Vec<(u16, i8)>,
    /// How much of the maps counts at this stage of the game.
    left: f32,
    /// Material, in hundreds of centipawns, and whose move it is: Black's view.
    material: f32,
    to_move: f32,
    won: f32,
    held_out: bool,
}

/// Fits positional maps to the results of games.
pub fn fit_positional(files: &[PathBuf], context: &Context<'_>) -> Result<Positional> {
    pool(context.threads)?.install(|| {
        let rows = read(files, context)?;
        let (test, train): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.held_out);
        ensure!(!train.is_empty(), "no game of these files was won, so no square can be");
        let plain = minimum(&train, true);
        let full = minimum(&train, false);
        let held_out = [mean_loss(&test, &plain), mean_loss(&test, &full)];
        let positions = [train.len() as u64, test.len() as u64];
        Ok(Positional { maps: maps(&train, &full), positions, held_out })
    })
}

fn read(files: &[PathBuf], context: &Context<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut games = 0;
    let mut progress = context.observer.begin(0, "");
    let records = Games::new(Input::from_paths(files)?, None).raw();
    in_parallel((0..).zip(records), context.observer, of_game, |some| {
        games += some.len() as u64;
        rows.extend(some.into_iter().flatten());
        progress.update(games, &|| format!("{games} games, {} positions", rows.len()));
    })?;
    Ok(rows)
}

fn of_game(game: &GameRecord, number: u64) -> Vec<Row> {
    let Outcome::Win(winner) = game.outcome() else { return Vec::new() };
    let won = if winner == Color::Black { 1.0 } else { 0.0 };
    let quiet = game.positions().enumerate().filter(|(ply, (position, mv))| {
        let is_turn = *ply >= FIRST_PLY && (*ply + number as usize).is_multiple_of(EVERY);
        is_turn && !position.in_check() && position.piece_on(mv.to()).is_none()
    });
    let row = |position: &Position| {
        let mut row = Row::of(position, won);
        row.held_out = number.is_multiple_of(HELD_OUT);
        row
    };
    let rows = quiet.map(|(_, (position, _))| row(&position));
    rows.filter(|row| f64::from(row.left) > 1.0 - LATEST).collect()
}

impl Row {
    fn of(position: &Position, won: f32) -> Self {
        let sign = |color: Color| if color == Color::Black { 1 } else { -1 };
        let mut pieces = Vec::with_capacity(96);
        let mut note = |kind: PieceKind, color: Color, cell: usize| {
            pieces.push(((kind.index() * Square::COUNT + cell) as u16, sign(color)));
        };
        for (square, piece) in position.pieces().filter(|(_, piece)| !piece.kind().is_promoted()) {
            let own = square.seen_by(piece.color());
            if own.rank() < FURTHEST {
                note(piece.kind(), piece.color(), BEYOND);
            } else {
                note(piece.kind(), piece.color(), HOME);
                note(piece.kind(), piece.color(), own.index());
            }
        }
        for color in Color::ALL {
            let hand = position.hand(color);
            for kind in PieceKind::HAND {
                (0..hand.count(kind)).for_each(|_| note(kind, color, HAND));
            }
        }
        let to_move = i32::from(sign(position.side_to_move()));
        Self {
            pieces,
            left: 1.0 - Progress::near_kings(position).overall() as f32,
            material: (to_move * Material::default().evaluate(position)) as f32 / 100.0,
            to_move: to_move as f32,
            won,
            held_out: false,
        }
    }

    /// The log-odds that Black wins.
    fn odds(&self, point: &[f64]) -> f64 {
        let squares: f64 =
            self.pieces.iter().map(|&(at, sign)| f64::from(sign) * point[usize::from(at)]).sum();
        f64::from(self.left) * squares
            + f64::from(self.material) * point[MATERIAL]
            + f64::from(self.to_move) * point[MOVE]
    }

    fn loss(&self, odds: f64) -> f64 {
        let odds = if self.won > 0.5 { odds } else { -odds };
        (1.0 + (-odds.abs()).exp()).ln() + (-odds).max(0.0)
    }
}

/// Is a number that of a square, and not of all of them together?
const fn is_square(number: usize) -> bool {
    number % Square::COUNT > HOME
}

fn mean_loss(rows: &[Row], point: &[f64]) -> f64 {
    rows.iter().map(|row| row.loss(row.odds(point))).sum::<f64>() / rows.len().max(1) as f64
}

/// The numbers that make the results likeliest; without squares, or with them.
fn minimum(rows: &[Row], without_squares: bool) -> Vec<f64> {
    let function = |point: &[f64]| {
        let (value, mut gradient) = likelihood(rows, point);
        if without_squares {
            gradient[..MATERIAL].fill(0.0);
        }
        (value, gradient)
    };
    let mut lbfgs = Lbfgs::new(vec![0.0; NUMBERS], false, function);
    for _ in 0..STEPS {
        if !lbfgs.step() {
            break;
        }
    }
    lbfgs.point().to_vec()
}

/// The loss of all positions with the regularisation, and its gradient. Pieces of rows are added up
/// in their order: the number of threads changes nothing.
fn likelihood(rows: &[Row], point: &[f64]) -> (f64, Vec<f64>) {
    let pieces: Vec<(f64, Vec<f64>)> = rows
        .par_chunks(PIECE)
        .map(|rows| {
            let (mut value, mut gradient) = (0.0, vec![0.0; NUMBERS]);
            for row in rows {
                let odds = row.odds(point);
                value += row.loss(odds);
                let error = 1.0 / (1.0 + (-odds).exp()) - f64::from(row.won);
                let share = error * f64::from(row.left);
                for &(at, sign) in &row.pieces {
                    gradient[usize::from(at)] += share * f64::from(sign);
                }
                gradient[MATERIAL] += error * f64::from(row.material);
                gradient[MOVE] += error * f64::from(row.to_move);
            }
            (value, gradient)
        })
        .collect();
    let (mut value, mut gradient) = (0.0, vec![0.0; NUMBERS]);
    for (more, part) in pieces {
        value += more;
        gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    let squares = gradient.iter_mut().zip(point).take(MATERIAL).enumerate();
    for (_, (sum, number)) in squares.filter(|(at, _)| is_square(*at)) {
        *sum += L2 * number;
        value += L2 * number * number / 2.0;
    }
    (value, gradient)
}

/// The fitted numbers in units of a map, with the mean over the squares where the kind stood as
/// zero: a piece that is dropped on a usual square wins and loses nothing.
fn maps(rows: &[Row], point: &[f64]) -> BTreeMap<PieceKind, Values> {
    let mut seen = vec![0.0; MATERIAL];
    let pieces = rows.iter().flat_map(|row| &row.pieces);
    for (at, _) in pieces.filter(|(at, _)| is_square((*at).into())) {
        seen[usize::from(*at)] += 1.0;
    }
    let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
    let map = |kind: PieceKind| {
        let squares = kind.index() * Square::COUNT..(kind.index() + 1) * Square::COUNT;
        let (own, seen) = (&point[squares.clone()], &seen[squares]);
        let sum: f64 = own.iter().zip(seen).map(|(value, seen)| value * seen).sum();
        let mean = sum / seen.iter().sum::<f64>().max(1.0);
        let values = std::array::from_fn(|square| {
            let units = UNITS * (own[square] - mean);
            // A square where the kind has not been seen says nothing.
            if seen[square] > 0.0 { units.round().clamp(-127.0, 127.0) as i8 } else { 0 }
        });
        (kind, values)
    };
    plain.map(map).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(kind: PieceKind, square: &str) -> usize {
        let square: Square = square.parse().unwrap();
        kind.index() * Square::COUNT + square.index()
    }

    /// Games in which silvers on 7g win three times out of four and golds stand anywhere.
    fn planted() -> Vec<Row> {
        let squares = ["7g", "6h", "5g"];
        let row = |i: usize| {
            let silver = number(PieceKind::Silver, squares[i % 3]);
            let gold = number(PieceKind::Gold, squares[(i / 3) % 3]);
            let home = |kind: PieceKind| kind.index() * Square::COUNT + HOME;
            let lucky = (i / 9).is_multiple_of(4);
            let chance = if squares[i % 3] == "7g" { !lucky } else { (i / 9).is_multiple_of(2) };
            Row {
                pieces: [silver, gold, home(PieceKind::Silver), home(PieceKind::Gold)]
                    .map(|number| (number as u16, 1))
                    .to_vec(),
                left: 1.0,
                material: (i % 5) as f32 - 2.0,
                to_move: 1.0,
                won: if chance { 1.0 } else { 0.0 },
                held_out: false,
            }
        };
        (0..90_000).map(row).collect()
    }

    #[test]
    fn a_square_that_wins_is_found() {
        let rows = planted();
        let maps = maps(&rows, &minimum(&rows, false));
        let value =
            |kind: PieceKind, square: &str| maps[&kind][number(kind, square) % Square::COUNT];
        let silver = ["7g", "6h", "5g"].map(|square| value(PieceKind::Silver, square));
        // 1.1 log-odds between them, of which the regularisation takes a little; zero is the mean.
        assert!((90..=110).contains(&(silver[0] - silver[1])), "{silver:?}");
        assert!(silver[1] == silver[2] && silver.iter().sum::<i8>().abs() <= 1, "{silver:?}");
        for square in ["7g", "6h", "5g", "9i"] {
            assert!(value(PieceKind::Gold, square).abs() <= 1, "{square}");
        }
        let [plain, full] = [true, false].map(|plain| mean_loss(&rows, &minimum(&rows, plain)));
        assert!(full < plain - 0.01, "{plain} {full}");
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let rows = &planted()[..2_000];
        let mut point: Vec<f64> = (0..NUMBERS).map(|i| (i % 7) as f64 * 0.03 - 0.1).collect();
        let (_, gradient) = likelihood(rows, &point);
        for at in [number(PieceKind::Silver, "7g"), number(PieceKind::Gold, "5g"), MATERIAL, MOVE] {
            let mut loss = |by: f64| {
                point[at] += by;
                let value = likelihood(rows, &point).0;
                point[at] -= by;
                value
            };
            let slope = (loss(1e-4) - loss(-1e-4)) / 2e-4;
            assert!((slope - gradient[at]).abs() < 1e-3, "{at}: {slope} and {}", gradient[at]);
        }
    }

    #[test]
    fn squares_beyond_and_hands_have_no_map() {
        let position = Position::from_sfen("4k4/1S7/9/9/9/9/2S6/9/4K4 b Rs 61").unwrap();
        let row = Row::of(&position, 1.0);
        let at = |kind: PieceKind, cell: usize| (kind.index() * Square::COUNT + cell) as u16;
        let mut silvers: Vec<(u16, i8)> =
            row.pieces.iter().copied().filter(|(n, _)| usize::from(*n) / 81 == 3).collect();
        silvers.sort_unstable();
        let own = number(PieceKind::Silver, "7g") as u16;
        let mut expected = vec![
            (at(PieceKind::Silver, BEYOND), 1),
            (at(PieceKind::Silver, HAND), -1),
            (at(PieceKind::Silver, HOME), 1),
            (own, 1),
        ];
        expected.sort_unstable();
        assert_eq!(silvers, expected);
        assert!(row.pieces.contains(&(at(PieceKind::Rook, HAND), 1)));
    }
}
