//! Control of squares all over the board, as the program saw it.

use tesuji_shogi::{Bitboard, Color, PieceKind, Square, attacks};

use super::Difference;
use crate::{Measure, View};

pub(super) const DIFFERENCES: [Difference; 5] = [
    Difference {
        name: "IN_CAMP_VULNERABILITY_PENALTY",
        sentence: "Your pieces in your camp that your opponent attacks more often than you do.",
        measure: Measure::Penalty(|view| {
            view.own_camp() & view.own() & view.counts().superior(view.opponent())
        }),
    },
    Difference {
        name: "OUT_CAMP_ATTACK",
        sentence: "Enemy pieces in their camp that you attack more often than your opponent does.",
        measure: Measure::Count(|view| {
            view.enemy_camp() & view.enemy() & view.counts().superior(view.player())
        }),
    },
    Difference {
        name: "BLOCKED_FLOW_SAFE",
        sentence: "Your protected pieces that stop an enemy rook, bishop or lance, the last square \
            of its way excepted.",
        measure: Measure::Count(blockers),
    },
    Difference {
        name: "AGGRESSION_BALANCE",
        sentence: "Your pieces on the farthest rank, minus your opponent's on theirs.",
        measure: Measure::Number {
            value: |view| {
                on_last_rank(view, view.player()).count() as i32
                    - on_last_rank(view, view.opponent()).count() as i32
            },
            squares: |view| on_last_rank(view, view.player()) | on_last_rank(view, view.opponent()),
        },
    },
    Difference {
        name: "TOTAL_ATTACKING",
        sentence: "All your attacks, minus the steps of your opponent's pieces and the squares that \
            theirs would reach through the first piece of yours.",
        measure: Measure::Number {
            value: total_attacking,
            squares: |view| view.counts().attacked(view.player()),
        },
    },
];

fn on_last_rank(view: &View<'_>, color: Color) -> Bitboard {
    view.position().of_color(color) & Bitboard::far_ranks(color, 1)
}

/// Each enemy slider with the squares that it reaches along its lines, without the single steps
/// that horses and dragons have besides.
fn enemy_lines<'a>(view: &'a View<'_>) -> impl Iterator<Item = (Line, Square)> + 'a {
    let position = view.position();
    let straight = (position.straight_sliders() & view.enemy()).into_iter();
    let diagonal = (position.diagonal_sliders() & view.enemy()).into_iter();
    let lances = view.enemy_kind(PieceKind::Lance).into_iter();
    let color = view.opponent();
    straight
        .map(|square| (Line::Straight, square))
        .chain(diagonal.map(|square| (Line::Diagonal, square)))
        .chain(lances.map(move |square| (Line::Ahead(color), square)))
}

/// The lines along which a piece slides.
#[derive(Clone, Copy)]
enum Line {
    Straight,
    Diagonal,
    Ahead(Color),
}

impl Line {
    fn reach(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            Self::Straight => attacks::rook(square, occupied),
            Self::Diagonal => attacks::bishop(square, occupied),
            Self::Ahead(color) => attacks::lance(color, square, occupied),
        }
    }
}

/// The squares behind `blocker` that a slider would reach if the blocker were not there.
fn behind(view: &View<'_>, line: Line, slider: Square, blocker: Square) -> Bitboard {
    let occupied = view.position().occupied();
    let direct = line.reach(slider, occupied);
    line.reach(slider, occupied.without(Bitboard::of(blocker))).without(direct)
}

/// The player's protected pieces that stop an enemy slider before the edge of the board.
fn blockers(view: &View<'_>) -> Bitboard {
    let occupied = view.position().occupied();
    let protected = view.own() & view.counts().attacked(view.player());
    let mut blockers = Bitboard::EMPTY;
    for (line, slider) in enemy_lines(view) {
        for blocker in line.reach(slider, occupied) & protected {
            if !behind(view, line, slider, blocker).is_empty() {
                blockers |= Bitboard::of(blocker);
            }
        }
    }
    blockers
}

fn total_attacking(view: &View<'_>) -> i32 {
    let occupied = view.position().occupied();
    let sum = |color| view.counts().sum(color, Bitboard::FULL) as i32;
    let mut enemy = sum(view.opponent());
    for (line, slider) in enemy_lines(view) {
        let direct = line.reach(slider, occupied);
        enemy -= direct.count() as i32;
        for blocker in direct & view.own() {
            enemy += behind(view, line, slider, blocker).count() as i32;
        }
    }
    sum(view.player()) - enemy
}
