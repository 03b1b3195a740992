//! Attack counts and exchange evaluation against slow twins.

mod common;

use common::for_each_position;
use common::naive::Naive;
use tesuji_shogi::{
    AttackCounts, Bitboard, Color, ExchangeValues, Move, Origin, Piece, PieceKind, Position, Square,
};

#[test]
fn attack_counts_equal_counting_piece_by_piece() {
    let mut highest = 0;
    for_each_position(20_000, 21, |position| {
        let counts = AttackCounts::new(position);
        let naive = Naive::new(position);
        let arrays = Color::ALL.map(|color| naive.attack_counts(color));
        for color in Color::ALL {
            let (own, other) = (arrays[color.index()], arrays[(!color).index()]);
            highest = own.into_iter().fold(highest, u8::max);
            assert_eq!(counts.to_array(color), own, "{color} in {position:?}");
            for square in Square::all() {
                let i = square.index();
                assert_eq!(counts.count(color, square), own[i]);
                assert_eq!(counts.attacked(color).contains(square), own[i] > 0);
                assert_eq!(counts.attacked_twice(color).contains(square), own[i] > 1);
                assert_eq!(counts.superior(color).contains(square), own[i] > other[i]);
                let direct = position.attackers(square, color, position.occupied());
                assert_eq!(direct.count(), u32::from(own[i]));
            }
            let total: u32 = own.iter().map(|&count| u32::from(count)).sum();
            assert_eq!(counts.sum(color, Bitboard::FULL), total);
            let attacked = position.attacked_squares(color, position.occupied());
            assert_eq!(attacked, counts.attacked(color));
        }
    });
    assert!(highest >= 6, "the positions were too tame: at most {highest} attackers");
}

/// The same policy, played out on a plain board by recursion.
struct SlowExchange<'a> {
    values: &'a ExchangeValues,
    board: [Option<Piece>; 81],
    to: Square,
}

impl SlowExchange<'_> {
    fn attacks(&self, from: Square) -> bool {
        let occupied: Bitboard =
            Square::all().filter(|square| self.board[square.index()].is_some()).collect();
        self.board[from.index()]
            .is_some_and(|piece| tesuji_shogi::attacks::of(piece, from, occupied).contains(self.to))
    }

    fn takers(&self, side: Color) -> Vec<(Square, Piece)> {
        Square::all()
            .filter_map(|square| Some((square, self.board[square.index()]?)))
            .filter(|&(square, piece)| {
                square != self.to && piece.color() == side && self.attacks(square)
            })
            .collect()
    }

    /// The best that `side` can get by taking what stands on the square, or leaving it.
    fn best(&mut self, side: Color) -> i32 {
        let mut takers = self.takers(side);
        takers.sort_by_key(|&(square, piece)| {
            let kind = piece.kind();
            (kind == PieceKind::King, self.values.capture(kind), kind as u8, square)
        });
        let Some(&(from, piece)) = takers.first() else { return 0 };
        if piece.kind() == PieceKind::King && !self.takers(!side).is_empty() {
            return 0;
        }
        let standing = self.board[self.to.index()].expect("something stands there");
        let zone = Bitboard::promotion_zone(side);
        let promoted =
            if zone.contains(from) || zone.contains(self.to) { piece.promoted() } else { None };
        self.board[from.index()] = None;
        self.board[self.to.index()] = Some(promoted.unwrap_or(piece));
        let gain = self.values.capture(standing.kind())
            + promoted.map_or(0, |_| self.values.promotion(piece.kind()));
        (gain - self.best(!side)).max(0)
    }
}

fn slow_exchange(position: &Position, mv: Move, values: &ExchangeValues) -> i32 {
    let us = position.side_to_move();
    let mut board = [None; 81];
    for (square, piece) in position.pieces() {
        board[square.index()] = Some(piece);
    }
    let mut gain = position.piece_on(mv.to()).map_or(0, |piece| values.capture(piece.kind()));
    let placed = match mv.origin() {
        Origin::Hand(kind) => Piece::new(us, kind),
        Origin::Board(from) => {
            let piece = board[from.index()].take().unwrap();
            if mv.is_promotion() {
                gain += values.promotion(piece.kind());
                piece.promoted().unwrap()
            } else {
                piece
            }
        }
    };
    board[mv.to().index()] = Some(placed);
    gain - SlowExchange { values, board, to: mv.to() }.best(!us)
}

#[test]
fn exchange_equals_playing_it_out() {
    let values = ExchangeValues::default();
    let mut different = std::collections::BTreeSet::new();
    for_each_position(4_000, 22, |position| {
        for mv in position.legal_moves().into_iter().step_by(3) {
            let slow = slow_exchange(position, mv, &values);
            assert_eq!(position.exchange(mv, &values), slow, "{mv} in {position:?}");
            assert!(position.exchange_at_least(mv, slow, &values));
            assert!(!position.exchange_at_least(mv, slow + 1, &values));
            different.insert(slow);
        }
    });
    assert!(different.len() > 80, "only {} different values", different.len());
}

#[test]
fn capture_gain_equals_taking_by_recursion() {
    let values = ExchangeValues::default();
    let mut gained = 0;
    for_each_position(4_000, 23, |position| {
        let mut board = [None; 81];
        for (square, piece) in position.pieces() {
            board[square.index()] = Some(piece);
        }
        for (square, piece) in position.pieces() {
            let slow = SlowExchange { values: &values, board, to: square }.best(!piece.color());
            assert_eq!(position.capture_gain(square, !piece.color(), &values), slow);
            assert_eq!(position.capture_gain(square, piece.color(), &values), 0);
            gained += u32::from(slow > 0);
        }
    });
    assert!(gained > 1_000, "{gained}");
}

#[test]
fn exchanges_worked_out_by_hand() {
    let values = ExchangeValues::default();
    let cases = [
        // A free pawn; a piece in hand counts too.
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 200),
        // Pawn takes pawn, gold takes back.
        ("4k4/9/4g4/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 200 - 200),
        // The rook behind the pawn takes part.
        ("4k4/9/4g4/4p4/4P4/9/9/4R4/4K4 b - 1", "5e5d", 200),
        // A silver drop where a pawn takes it.
        ("4k4/9/4p4/9/9/9/9/9/4K4 b S 1", "S*5d", -1000),
        // A king does not take what is protected.
        ("4k4/9/3S5/9/9/9/9/9/4K4 b G 1", "G*5b", 0),
        // And takes what is not.
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", -1100),
    ];
    for (sfen, mv, expected) in cases {
        let position = Position::from_sfen(sfen).unwrap();
        let gain = position.exchange(mv.parse().unwrap(), &values);
        assert_eq!(gain, expected, "{mv} in {sfen}");
    }
}
