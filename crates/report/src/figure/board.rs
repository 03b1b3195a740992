//! The shogi board as a figure: pieces, hands, marked squares, moves as arrows.

mod arrows;
mod grid;
mod map;
mod shapes;

use tesuji_shogi::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

use crate::figure::{Figure, Shape};
use crate::markup::fitted;
use crate::svg::{Anchor, px};
use crate::{Drawing, Lang};
use arrows::draw_arrows;
use grid::{BOTTOM, CELL, Grid, TOP};
pub use map::SquareMap;
pub(crate) use shapes::shared_shapes;

/// The left end of the squares.
const LEFT: f64 = STAND + 8.0;
/// The width of a stand for pieces in hand.
const STAND: f64 = 48.0;
const WIDTH: f64 = 2.0 * LEFT + grid::WIDTH;
/// The distance of pieces in hand, and the room above the first.
const IN_HAND: f64 = 36.0;
const STAND_HEAD: f64 = 52.0;
const LEGEND_LINE: f64 = 23.0;

/// How pieces are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PieceStyle {
    /// Kanji, White's upside down, as on a board.
    #[default]
    Kanji,
    /// The letters of SFEN, all upright, for machines without Japanese fonts.
    Letters,
}

/// What a move drawn as an arrow is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrowKind {
    /// The move that was played, or is right: a solid arrow.
    Master,
    /// The move that was chosen instead: a dashed arrow in a second colour.
    Chosen,
    /// Any other move.
    Other,
}

impl ArrowKind {
    const fn class(self) -> &'static str {
        match self {
            Self::Master => "master",
            Self::Chosen => "chosen",
            Self::Other => "other",
        }
    }
}

/// A move drawn on the board it is played on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    mv: Move,
    kind: ArrowKind,
    label: String,
}

impl Arrow {
    /// An arrow with a line in the legend below the board; without one if the label is empty.
    pub fn new(mv: Move, kind: ArrowKind, label: &str) -> Self {
        Self { mv, kind, label: label.to_owned() }
    }
}

/// A board with what is to be shown on it.
#[derive(Clone, Debug)]
pub struct BoardFigure {
    position: Position,
    style: PieceStyle,
    seen_by: Color,
    highlights: Bitboard,
    last_move: Option<Move>,
    arrows: Vec<Arrow>,
    /// Are grid and pieces drawn elsewhere on the page, and only named here?
    shared: bool,
}

impl BoardFigure {
    /// The board of a position, seen by Black.
    pub fn new(position: &Position) -> Self {
        Self {
            position: *position,
            style: PieceStyle::default(),
            seen_by: Color::Black,
            highlights: Bitboard::EMPTY,
            last_move: None,
            arrows: Vec::new(),
            shared: false,
        }
    }

    /// Names the shapes of [`shared_shapes`], which stand on the page once for all its boards, and
    /// does not draw them again. They are those of a board with kanji that Black sees.
    pub(crate) const fn shared(mut self) -> Self {
        self.shared = true;
        self.style = PieceStyle::Kanji;
        self.seen_by = Color::Black;
        self
    }

    /// Writes the pieces in another style.
    #[must_use]
    pub const fn style(mut self, style: PieceStyle) -> Self {
        self.style = style;
        self
    }

    /// Turns the board to this player.
    #[must_use]
    pub const fn seen_by(mut self, color: Color) -> Self {
        self.seen_by = color;
        self
    }

    /// Marks these squares.
    #[must_use]
    pub const fn highlight(mut self, squares: Bitboard) -> Self {
        self.highlights = squares;
        self
    }

    /// Shades the squares of the move that led to the position.
    #[must_use]
    pub const fn last_move(mut self, mv: Option<Move>) -> Self {
        self.last_move = mv;
        self
    }

    /// Draws a move of the side to move.
    #[must_use]
    pub fn arrow(mut self, arrow: Arrow) -> Self {
        self.arrows.push(arrow);
        self
    }

    const fn grid(&self) -> Grid {
        Grid { left: LEFT, seen_by: self.seen_by }
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        self.grid().centre(square)
    }

    /// The kinds in a player's hand, in the order in which they are shown.
    fn held(&self, color: Color) -> Vec<(PieceKind, u8)> {
        let hand = self.position.hand(color);
        let kinds = PieceKind::HAND_FROM_ROOK.into_iter();
        kinds.map(|kind| (kind, hand.count(kind))).filter(|(_, count)| *count > 0).collect()
    }

    /// The middle of the top of a player's stand, and its height.
    fn stand(&self, color: Color) -> ((f64, f64), f64) {
        let height = STAND_HEAD + IN_HAND * (self.held(color).len().max(1) as f64) + 2.0;
        if color == self.seen_by {
            ((WIDTH - STAND / 2.0, BOTTOM - height), height)
        } else {
            ((STAND / 2.0, TOP), height)
        }
    }

    /// The middle of a kind of piece in a player's hand; of the stand if there is none.
    fn centre_in_hand(&self, color: Color, kind: PieceKind) -> (f64, f64) {
        let ((x, top), _) = self.stand(color);
        let number = self.held(color).iter().position(|held| held.0 == kind).unwrap_or(0);
        (x - 4.0, top + STAND_HEAD + IN_HAND * (number as f64 + 0.5))
    }

    fn draw_grid(&self, d: &mut Drawing, lang: Lang) {
        let grid = self.grid();
        grid.draw_surface(d, "board");
        for moved in self.last_move.iter().flat_map(|mv| [mv.from(), Some(mv.to())]).flatten() {
            d.rect(grid.corner(moved), CELL, "last");
        }
        for square in self.highlights {
            d.rect(grid.corner(square), CELL, "mark");
        }
        if self.shared {
            d.named_shape(shapes::LINES, (0.0, 0.0), 1.0);
        } else {
            self.draw_lines(d, lang);
        }
    }

    /// The lines between the squares, and the names of files and ranks; in letters if the pieces
    /// are.
    fn draw_lines(&self, d: &mut Drawing, lang: Lang) {
        let lang = if self.style == PieceStyle::Kanji { lang } else { Lang::English };
        self.grid().draw_lines(d, lang);
    }

    fn draw_piece(&self, d: &mut Drawing, piece: Piece, (x, y): (f64, f64), scale: f64) {
        if self.shared {
            d.named_shape(&shapes::name(piece), (x, y), scale);
            return;
        }
        let kind = piece.kind();
        let turned = piece.color() != self.seen_by;
        let size = match kind.unpromoted() {
            PieceKind::King => 1.05,
            PieceKind::Rook | PieceKind::Bishop => 1.02,
            PieceKind::Pawn => 0.91,
            _ => 0.97,
        } * scale;
        let place = format!("translate({} {})", px(x), px(y));
        let upright = format!("{place} scale({})", px(size));
        let over = format!("{place} rotate(180) scale({})", px(size));
        let outline = [(0.0, -18.5), (11.0, -13.0), (15.5, 18.0), (-15.5, 18.0), (-11.0, -13.0)];
        let promoted = if kind.is_promoted() { " promoted" } else { "" };
        match self.style {
            PieceStyle::Kanji => d.transformed(if turned { &over } else { &upright }, |d| {
                d.path(&outline, true, "koma");
                let class = format!("kanji{promoted}");
                d.text((0.0, 10.0), Anchor::Middle, &class, &king_or_kanji(piece).to_string());
            }),
            PieceStyle::Letters => {
                let turn = if turned { &over } else { &upright };
                // Upright letters show no owner, so White's pieces have a colour of their own.
                let white = piece.color() == Color::White;
                let class = if white { "koma dimmed" } else { "koma" };
                d.transformed(turn, |d| d.path(&outline, true, class));
                let plus = if kind.is_promoted() { "+" } else { "" };
                let class = format!("letter{promoted}");
                let place = (0.0, if turned { 4.0 } else { 9.0 });
                d.transformed(&upright, |d| {
                    d.text(place, Anchor::Middle, &class, &format!("{plus}{}", kind.letter()));
                });
            }
        }
    }

    fn draw_stand(&self, d: &mut Drawing, color: Color, lang: Lang) {
        let ((x, top), height) = self.stand(color);
        let words = lang.words();
        d.rect((x - STAND / 2.0, top), (STAND, height), "stand");
        let sign = [(0.0, -7.5), (5.0, -5.0), (6.5, 6.0), (-6.5, 6.0), (-5.0, -5.0)];
        let half_turn = if color == self.seen_by { 1.0 } else { -1.0 };
        let sign = sign.map(|(dx, dy)| (x + dx, top + 13.0 + dy * half_turn));
        let (class, name) = match color {
            Color::Black => ("sente", words.black),
            Color::White => ("gote", words.white),
        };
        d.path(&sign, true, class);
        let to_move = self.position.side_to_move() == color;
        let class = if to_move { "bold" } else { "soft" };
        d.text((x, top + 34.0), Anchor::Middle, class, name);
        if to_move {
            d.text((x, top + 46.5), Anchor::Middle, "tiny soft", words.to_move);
        }
        let held = self.held(color);
        if held.is_empty() {
            d.text((x, top + STAND_HEAD + 20.0), Anchor::Middle, "soft", "–");
        }
        for (kind, count) in held {
            let (x, y) = self.centre_in_hand(color, kind);
            let single = count == 1;
            let shift = if single { 4.0 } else { -2.0 };
            self.draw_piece(d, Piece::new(color, kind), (x + shift, y), 0.88);
            if !single {
                d.text((x + 13.5, y + 5.0), Anchor::Start, "bold", &count.to_string());
            }
        }
    }

    /// Writes what the arrows are, below the board.
    fn draw_legend(&self, d: &mut Drawing) {
        let mut y = BOTTOM + 18.0;
        for arrow in self.arrows.iter().filter(|arrow| !arrow.label.is_empty()) {
            let x = LEFT;
            d.group(arrow.kind.class(), |d| {
                d.line((x, y), (x + 24.0, y), "shaft");
                d.path(&[(x + 34.0, y), (x + 22.0, y - 7.0), (x + 22.0, y + 7.0)], true, "head");
            });
            let label = fitted(&arrow.label, 15.0, WIDTH - x - 44.0);
            d.text((x + 42.0, y + 5.0), Anchor::Start, "legend", &label);
            y += LEGEND_LINE;
        }
    }
}

/// The character of a piece. By custom Black's king is 玉 and White's 王.
fn king_or_kanji(piece: Piece) -> char {
    match (piece.kind(), piece.color()) {
        (PieceKind::King, Color::White) => '王',
        (kind, _) => kind.kanji(),
    }
}

impl Figure for BoardFigure {
    /// Draws it at its own width, whatever the place is.
    fn draw(&self, _width: f64, lang: Lang) -> Drawing {
        let legend = self.arrows.iter().filter(|arrow| !arrow.label.is_empty()).count();
        let below = if legend == 0 { 4.0 } else { 10.0 + LEGEND_LINE * legend as f64 };
        let mut d = Drawing::new(WIDTH, BOTTOM + below);
        self.draw_grid(&mut d, lang);
        d.japanese(|d| {
            for color in Color::ALL {
                self.draw_stand(d, color, lang);
            }
            for (square, piece) in self.position.pieces() {
                self.draw_piece(d, piece, self.centre(square), 1.0);
            }
        });
        draw_arrows(&mut d, self);
        self.draw_legend(&mut d);
        d
    }

    fn shape(&self) -> Shape {
        Shape::Fixed
    }
}
