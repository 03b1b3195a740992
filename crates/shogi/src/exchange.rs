//! Static exchange evaluation: what a sequence of captures on one square is worth.

use crate::{Bitboard, Color, Move, Origin, Piece, PieceKind, Position, Square};

/// What pieces are worth in an exchange.
///
/// Who takes a piece gains twice: the opponent loses it from the board, and it joins the own hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExchangeValues {
    board: [i32; PieceKind::COUNT],
    /// Board value of the piece plus hand value of its plain side.
    capture: [i32; PieceKind::COUNT],
    /// Kinds in the order in which they are best risked, the king last.
    order: [PieceKind; PieceKind::COUNT],
}

impl ExchangeValues {
    /// Values of all kinds on the board (that of the king is not used), and of the plain kinds in
    /// hand.
    pub fn new(board: [i32; PieceKind::COUNT], hand: [i32; 7]) -> Self {
        let capture = PieceKind::ALL.map(|kind| {
            board[kind.index()] + hand.get(kind.unpromoted().index()).copied().unwrap_or(0)
        });
        let mut order = PieceKind::ALL;
        order.sort_by_key(|&kind| (kind == PieceKind::King, capture[kind.index()]));
        Self { board, capture, order }
    }

    /// What taking a piece of this kind gains.
    #[inline]
    pub const fn capture(&self, kind: PieceKind) -> i32 {
        self.capture[kind.index()]
    }

    /// What promoting a piece of this kind gains.
    #[inline]
    pub fn promotion(&self, kind: PieceKind) -> i32 {
        kind.promoted()
            .map_or(0, |promoted| self.board[promoted.index()] - self.board[kind.index()])
    }
}

impl Default for ExchangeValues {
    /// Round numbers, pawn = 100; a learned evaluation brings its own.
    fn default() -> Self {
        Self::new(
            [100, 300, 350, 500, 800, 1000, 550, 0, 500, 500, 500, 550, 1100, 1300],
            [100, 300, 350, 500, 800, 1000, 550],
        )
    }
}

/// What a move has done before anybody takes back.
struct Arrival {
    /// What it gained.
    first: i32,
    /// The piece as it stands on the target square.
    standing: PieceKind,
    occupied: Bitboard,
}

impl Position {
    /// What the side to move gains by `mv` if from then on both sides take on its target square, or
    /// stop, as suits them best. They always take with the piece that is cheapest to lose, and
    /// promote it when they can; the king takes last and only what is not protected. Pins are not
    /// looked at.
    ///
    /// ```
    /// use tesuji_shogi::{ExchangeValues, Position};
    /// let values = ExchangeValues::default();
    /// // Black's rook takes a pawn that a gold protects.
    /// let position = Position::from_sfen("4k4/4g4/4p4/9/9/9/9/9/4R3K b - 1").unwrap();
    /// let gain = position.exchange("5i5c+".parse().unwrap(), &values);
    /// assert_eq!(gain, 200 + 300 - (1300 + 1000)); // pawn, promotion, then the dragon is lost
    /// ```
    pub fn exchange(&self, mv: Move, values: &ExchangeValues) -> i32 {
        let Some(Arrival { first, standing, occupied }) = self.arrival(mv, values) else {
            return 0;
        };
        first - self.captures_on(mv.to(), !self.side_to_move(), standing, occupied, values)
    }

    /// What `by` gains by taking what stands on `square`, whoever is to move, if both sides go on
    /// there as in [`Position::exchange`]: nothing if they had better leave it or cannot take it.
    ///
    /// ```
    /// use tesuji_shogi::{Color, ExchangeValues, Position};
    /// let values = ExchangeValues::default();
    /// let position = Position::from_sfen("4k4/9/4p4/9/9/4L4/9/9/4R3K w - 1").unwrap();
    /// let pawn = "5c".parse().unwrap();
    /// assert_eq!(position.capture_gain(pawn, Color::Black, &values), 200 + 200); // it promotes
    /// ```
    pub fn capture_gain(&self, square: Square, by: Color, values: &ExchangeValues) -> i32 {
        let standing = self.piece_on(square).filter(|piece| piece.color() != by);
        standing
            .map_or(0, |piece| self.captures_on(square, by, piece.kind(), self.occupied(), values))
    }

    /// What the enemy gains, beside the dropped piece itself, by taking a piece that the side to move
    /// drops on `to`, if both go on there as in [`Position::exchange`]; `None` if they cannot take
    /// it. It is the same for all pieces: what a drop gains is this and [`ExchangeValues::capture`],
    /// taken together from nothing, or nothing if that is more.
    ///
    /// ```
    /// use tesuji_shogi::{ExchangeValues, PieceKind, Position};
    /// let values = ExchangeValues::default();
    /// let position = Position::from_sfen("4k4/4g4/9/9/9/9/9/9/4R3K b S 1").unwrap();
    /// let loss = position.reply_to_drop("5c".parse().unwrap(), &values).unwrap();
    /// assert_eq!(loss, -(550 + 550 + 300)); // the rook takes the gold and promotes
    /// assert_eq!(position.exchange("S*5c".parse().unwrap(), &values), 0);
    /// ```
    pub fn reply_to_drop(&self, to: Square, values: &ExchangeValues) -> Option<i32> {
        let (us, occupied) = (self.side_to_move(), self.occupied() | Bitboard::of(to));
        let (from, taker) = self.cheapest_taker(to, !us, occupied, values)?;
        let promoted = promotion_on_capture(taker, from, to);
        let standing = promoted.unwrap_or(taker.kind());
        let later = self.captures_on(to, us, standing, occupied ^ Bitboard::of(from), values);
        Some(promoted.map_or(0, |_| values.promotion(taker.kind())) - later)
    }

    /// What `side` gains if both take on `to` in turn, or stop, as suits them best.
    fn captures_on(
        &self,
        to: Square,
        mut side: Color,
        mut standing: PieceKind,
        mut occupied: Bitboard,
        values: &ExchangeValues,
    ) -> i32 {
        let mut gains = [0; 41];
        let mut length = 0;
        while let Some(taker) = self.cheapest_taker(to, side, occupied, values) {
            let promoted = promotion_on_capture(taker.1, taker.0, to);
            gains[length] =
                values.capture(standing) + promoted.map_or(0, |_| values.promotion(taker.1.kind()));
            length += 1;
            standing = promoted.unwrap_or(taker.1.kind());
            occupied ^= Bitboard::of(taker.0);
            side = !side;
        }
        // From the last capture back: each side takes only if that gains something.
        gains[..length].iter().rev().fold(0, |later, gain| (gain - later).max(0))
    }

    /// Is [`Position::exchange`] at least `threshold`? Stops as soon as that is clear.
    pub fn exchange_at_least(&self, mv: Move, threshold: i32, values: &ExchangeValues) -> bool {
        let Some(Arrival { first, mut standing, mut occupied }) = self.arrival(mv, values) else {
            return threshold <= 0;
        };
        // By how much the side that moved last has what it wants, if nobody takes any more.
        let mut surplus = first - threshold;
        if surplus < 0 {
            return false;
        }
        let us = self.side_to_move();
        let mut side = !us;
        while let Some((from, taker)) = self.cheapest_taker(mv.to(), side, occupied, values) {
            let promoted = promotion_on_capture(taker, from, mv.to());
            let gain =
                values.capture(standing) + promoted.map_or(0, |_| values.promotion(taker.kind()));
            // One side wants the threshold, the other wants less than it.
            surplus = gain - surplus - 1;
            if surplus < 0 {
                break;
            }
            standing = promoted.unwrap_or(taker.kind());
            occupied ^= Bitboard::of(from);
            side = !side;
        }
        // The side whose turn it is cannot or need not take: the other one has what it wants.
        side != us
    }

    /// The board once `mv` has arrived; `None` if nothing stands on its origin.
    fn arrival(&self, mv: Move, values: &ExchangeValues) -> Option<Arrival> {
        let to = mv.to();
        let target = self.piece_on(to).map_or(0, |piece| values.capture(piece.kind()));
        let (left, kind) = match mv.origin() {
            Origin::Hand(kind) => (Bitboard::EMPTY, kind),
            Origin::Board(from) => (Bitboard::of(from), self.piece_on(from)?.kind()),
        };
        let promoted = if mv.is_promotion() { kind.promoted() } else { None };
        Some(Arrival {
            first: target + promoted.map_or(0, |_| values.promotion(kind)),
            standing: promoted.unwrap_or(kind),
            occupied: self.occupied().without(left) | Bitboard::of(to),
        })
    }

    /// The piece of `side` that attacks `to`, given what still stands, and is cheapest to lose.
    fn cheapest_taker(
        &self,
        to: Square,
        side: Color,
        occupied: Bitboard,
        values: &ExchangeValues,
    ) -> Option<(Square, Piece)> {
        let attackers = self.attackers(to, side, occupied) & occupied;
        if attackers.is_empty() {
            return None;
        }
        let kind =
            values.order.into_iter().find(|&kind| self.of_kind(kind).intersects(attackers))?;
        let protected = || {
            let protectors = self.attackers(to, !side, occupied) & occupied;
            !protectors.without(Bitboard::of(to)).is_empty()
        };
        if kind == PieceKind::King && protected() {
            return None;
        }
        let square = (self.of_kind(kind) & attackers).first()?;
        Some((square, Piece::new(side, kind)))
    }
}

/// What the piece becomes when it takes on `to`, if it can promote.
fn promotion_on_capture(piece: Piece, from: Square, to: Square) -> Option<PieceKind> {
    let zone = Bitboard::promotion_zone(piece.color());
    (zone.contains(from) || zone.contains(to)).then(|| piece.kind().promoted()).flatten()
}
