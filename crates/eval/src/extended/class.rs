//! The classes by which families of features tell pieces apart, and the names that follow from
//! them.

use tesuji_shogi::PieceKind;

/// How many classes there are without the king; the king's class comes last.
pub(super) const CLASSES: usize = 10;
/// The class of the king.
pub(super) const KING: usize = CLASSES;
/// The class of tokins and promoted lances, knights and silvers.
pub(super) const SMALL_PROMOTED: usize = 7;

/// The class of a kind: pawn, lance, knight, silver, gold, bishop, rook, small promoted pieces
/// together, horse, dragon, king.
pub(super) const fn class_of(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Gold => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            SMALL_PROMOTED
        }
        PieceKind::Horse => 8,
        PieceKind::Dragon => 9,
        PieceKind::King => KING,
    }
}

/// The classes from the cheapest to lose to the dearest. What a small promoted piece leaves in the
/// enemy's hand is little, so it comes before the silver.
pub(super) const BY_COST: [usize; CLASSES] = [0, 1, 2, SMALL_PROMOTED, 3, 4, 5, 6, 8, 9];

/// Name and sentence of one feature for each class: `by_class!("PREFIX", "before ", " after")`.
macro_rules! by_class {
    ($prefix:literal, $before:literal, $after:literal) => {
        [
            (concat!($prefix, "_PAWN"), concat!($before, "pawns", $after)),
            (concat!($prefix, "_LANCE"), concat!($before, "lances", $after)),
            (concat!($prefix, "_KNIGHT"), concat!($before, "knights", $after)),
            (concat!($prefix, "_SILVER"), concat!($before, "silvers", $after)),
            (concat!($prefix, "_GOLD"), concat!($before, "golds", $after)),
            (concat!($prefix, "_BISHOP"), concat!($before, "bishops", $after)),
            (concat!($prefix, "_ROOK"), concat!($before, "rooks", $after)),
            (
                concat!($prefix, "_SMALL_PROMOTED"),
                concat!($before, "small promoted pieces", $after),
            ),
            (concat!($prefix, "_HORSE"), concat!($before, "horses", $after)),
            (concat!($prefix, "_DRAGON"), concat!($before, "dragons", $after)),
        ]
    };
}

/// Name and sentence of one feature for each kind that can be in hand.
macro_rules! by_hand {
    ($prefix:literal, $before:literal, $after:literal) => {
        [
            (concat!($prefix, "_PAWN"), concat!($before, "pawn", $after)),
            (concat!($prefix, "_LANCE"), concat!($before, "lance", $after)),
            (concat!($prefix, "_KNIGHT"), concat!($before, "knight", $after)),
            (concat!($prefix, "_SILVER"), concat!($before, "silver", $after)),
            (concat!($prefix, "_BISHOP"), concat!($before, "bishop", $after)),
            (concat!($prefix, "_ROOK"), concat!($before, "rook", $after)),
            (concat!($prefix, "_GOLD"), concat!($before, "gold", $after)),
        ]
    };
}

/// Name and sentence of one feature for each rank, 1 the farthest.
macro_rules! by_rank {
    ($prefix:literal, $what:literal) => {
        [
            (concat!($prefix, "_RANK_1"), concat!("Your ", $what, " on the farthest rank.")),
            (concat!($prefix, "_RANK_2"), concat!("Your ", $what, " on the second farthest rank.")),
            (concat!($prefix, "_RANK_3"), concat!("Your ", $what, " on the third farthest rank.")),
            (concat!($prefix, "_RANK_4"), concat!("Your ", $what, " right before the enemy camp.")),
            (concat!($prefix, "_RANK_5"), concat!("Your ", $what, " on the middle rank.")),
            (concat!($prefix, "_RANK_6"), concat!("Your ", $what, " right before your camp.")),
            (concat!($prefix, "_RANK_7"), concat!("Your ", $what, " on your third rank.")),
            (concat!($prefix, "_RANK_8"), concat!("Your ", $what, " on your second rank.")),
            (concat!($prefix, "_RANK_9"), concat!("Your ", $what, " on your back rank.")),
        ]
    };
}

/// Name and sentence of one feature for each file, 1 at the player's right hand.
macro_rules! by_file {
    ($prefix:literal, $what:literal) => {
        [
            (
                concat!($prefix, "_FILE_1"),
                concat!("Your ", $what, " on the first file from your right."),
            ),
            (
                concat!($prefix, "_FILE_2"),
                concat!("Your ", $what, " on the second file from your right."),
            ),
            (
                concat!($prefix, "_FILE_3"),
                concat!("Your ", $what, " on the third file from your right."),
            ),
            (
                concat!($prefix, "_FILE_4"),
                concat!("Your ", $what, " on the fourth file from your right."),
            ),
            (concat!($prefix, "_FILE_5"), concat!("Your ", $what, " on the middle file.")),
            (
                concat!($prefix, "_FILE_6"),
                concat!("Your ", $what, " on the fourth file from your left."),
            ),
            (
                concat!($prefix, "_FILE_7"),
                concat!("Your ", $what, " on the third file from your left."),
            ),
            (
                concat!($prefix, "_FILE_8"),
                concat!("Your ", $what, " on the second file from your left."),
            ),
            (
                concat!($prefix, "_FILE_9"),
                concat!("Your ", $what, " on the first file from your left."),
            ),
        ]
    };
}

pub(super) use {by_class, by_file, by_hand, by_rank};
