//! Mirror symmetry: squares where left and right are the same.

use tesuji_shogi::Square;

/// Squares of half a board with its middle file.
pub const HALF: usize = 45;
/// Files and ranks by which squares can differ, left and right being the same.
pub const OFFSETS: usize = 9 * 17;

/// The number of a square on the right half of the board or its middle file, or of its mirror
/// image.
#[inline(always)]
pub fn half(square: Square) -> usize {
    let file = usize::from(square.file().min(10 - square.file()));
    (file - 1) * 9 + usize::from(square.rank()) - 1
}

/// The number of a king on the right half of the board, and the square beside it; if the king is in
/// the middle, the square is on the right half.
#[inline(always)]
pub fn beside(king: Square, square: Square) -> (usize, Square) {
    let mirror = king.file() > 5 || (king.file() == 5 && square.file() > 5);
    (half(king), if mirror { square.mirrored() } else { square })
}

/// The number of the difference of two squares.
#[inline(always)]
pub fn offset(king: Square, square: Square) -> usize {
    let files = usize::from(king.file().abs_diff(square.file()));
    files * 17 + usize::from(square.rank() + 8 - king.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    #[test]
    fn mirrored_squares_are_the_same() {
        assert_eq!(half(square("8h")), half(square("2h")));
        assert_eq!(offset(square("8h"), square("7g")), offset(square("2h"), square("3g")));
        let king = half(square("2h"));
        assert_eq!(beside(square("8h"), square("7h")), (king, square("3h")));
        assert_eq!(beside(square("2h"), square("7h")), (king, square("7h")));
        assert_eq!(beside(square("5h"), square("7h")).1, square("3h"));
    }

    #[test]
    fn numbers_are_below_their_counts() {
        for (king, other) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            assert!(half(king) < HALF && offset(king, other) < OFFSETS);
        }
    }
}
