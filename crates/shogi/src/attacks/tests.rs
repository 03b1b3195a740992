//! The arithmetic of sliders against walking square by square.

use super::*;

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn walk(square: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let mut next = square.offset(files, ranks);
        while let Some(to) = next {
            reached |= Bitboard::of(to);
            next = if occupied.contains(to) { None } else { to.offset(files, ranks) };
        }
    }
    reached
}

/// A simple generator is enough here: the tests want variety, not quality.
fn occupations() -> impl Iterator<Item = Bitboard> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u128::from(state)
    };
    let mut word = move || next() | next() << 64;
    (0..3000).map(move |i| {
        Bitboard::from_bits(match i % 3 {
            0 => word(),
            1 => word() & word(),
            _ => word() & word() & word(),
        })
    })
}

#[test]
fn sliders_equal_walking() {
    for occupied in occupations().chain([Bitboard::EMPTY, Bitboard::FULL]) {
        for square in Square::all() {
            assert_eq!(rook(square, occupied), walk(square, &ORTHOGONAL, occupied));
            assert_eq!(bishop(square, occupied), walk(square, &DIAGONAL, occupied));
            let up = walk(square, &[(0, -1)], occupied);
            assert_eq!(lance(Color::Black, square, occupied), up);
            let down = walk(square, &[(0, 1)], occupied);
            assert_eq!(lance(Color::White, square, occupied), down);
        }
    }
}

#[test]
fn rays_are_reach_on_an_empty_board() {
    for square in Square::all() {
        assert_eq!(rook_rays(square), rook(square, Bitboard::EMPTY));
        assert_eq!(bishop_rays(square), bishop(square, Bitboard::EMPTY));
        for color in Color::ALL {
            assert_eq!(lance_ray(color, square), lance(color, square, Bitboard::EMPTY));
        }
    }
}

#[test]
fn between_and_line() {
    let square = |text: &str| text.parse::<Square>().unwrap();
    let set = |texts: &[&str]| texts.iter().map(|text| square(text)).collect::<Bitboard>();
    assert_eq!(between(square("5e"), square("5a")), set(&["5d", "5c", "5b"]));
    assert_eq!(between(square("9a"), square("6d")), set(&["8b", "7c"]));
    assert_eq!(between(square("1a"), square("2c")), Bitboard::EMPTY);
    assert_eq!(line(square("2b"), square("2h")), Bitboard::file(2));
    assert_eq!(line(square("1a"), square("2c")), Bitboard::EMPTY);
    for a in Square::all() {
        for b in Square::all() {
            assert_eq!(between(a, b), between(b, a));
            assert_eq!(line(a, b), line(b, a));
        }
    }
}

#[test]
fn steppers_look_the_same_from_both_sides() {
    for kind in PieceKind::ALL {
        for square in Square::all() {
            let black = of(Piece::new(Color::Black, kind), square, Bitboard::EMPTY);
            let turned = square.seen_by(Color::White);
            let white = of(Piece::new(Color::White, kind), turned, Bitboard::EMPTY);
            let turned_back: Bitboard =
                white.into_iter().map(|square| square.seen_by(Color::White)).collect();
            assert_eq!(black, turned_back);
        }
    }
}
