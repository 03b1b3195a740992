//! Prevention.

use tesuji_eval::plausible::Generator;
use tesuji_shogi::Position;

use super::{COMES, Row, STAYS_AWAY};

pub const ROWS: &[(Generator, &[Row])] = &[
    (Generator::Pin, PIN),
    (Generator::CoverEnemyCamp, COVER_ENEMY_CAMP),
    (Generator::AvoidDevelopment, AVOID_DEVELOPMENT),
];

const PIN: &[Row] = &[
    (COMES, "4k4/4s4/9/9/9/9/9/9/4K4 b R 1", "R*5e", "the silver must stay before its king"),
    (COMES, "4k4/9/6r2/9/4g4/9/9/9/4K4 b B 1", "B*7g", "the gold must stay before its rook"),
    (COMES, "4k4/4s4/9/9/9/9/9/9/4K4 b L 1", "L*5f", "a lance pins forward"),
    (STAYS_AWAY, "4k4/7g1/6p2/9/4g4/9/9/9/4K4 b B 1", "B*7g", "a protected pawn is no loss"),
    (STAYS_AWAY, "4k4/4s4/4p4/9/9/9/9/9/4K4 b R 1", "R*5e", "two pieces are before the king"),
    (STAYS_AWAY, "4k4/4s4/9/9/9/9/9/4R4/3K5 b - 1", "5h5g", "the silver was pinned before"),
    (STAYS_AWAY, "4k4/4s4/9/9/9/9/9/9/4K4 b R 1", "R*5c", "the silver takes the rook"),
];

const COVER_ENEMY_CAMP: &[Row] = &[
    (COMES, "4k4/9/9/9/4P4/9/9/9/4K4 b - 1", "5e5d", "the pawn attacks 5c"),
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5d", "so does one from the hand"),
    (COMES, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h3h", "the rook takes an open file"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*5d", "only pawns are dropped for it"),
    (STAYS_AWAY, "4k4/9/9/9/9/4P4/9/9/4K4 b - 1", "5f5e", "the pawn attacks 5d"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2g", "it attacked that file before"),
];

const PAWN_ON_7D: &str =
    "l3k2nl/1r1sg1g2/p1nppsbpp/2p2p3/1p4pP1/2P1P4/PPSP1P2P/2G1GS1R1/LNBK3NL b p 27";
const PAWN_ON_7D_LATER: &str =
    "l5knl/1r4g2/p2gp2p1/2ppbsp1p/P2n1N1P1/1P3PP1P/N2PPS3/2G1KG3/LR6L b BS2Psp 61";
const GOLD_ON_4D: &str =
    "ln1g4l/1ks1s1r2/pppp1pb1p/4pg1p1/2PP2pn1/3SPP3/PPBS1GP1P/2KG3R1/LN5NL b p 41";

const AVOID_DEVELOPMENT: &[Row] = &[
    (COMES, PAWN_ON_7D, "7f7e", "it takes the square before the pawn"),
    (COMES, PAWN_ON_7D_LATER, "P*7f", "a pawn from the hand covers 7e"),
    (COMES, GOLD_ON_4D, "4f4e", "it takes the square before the gold"),
    (STAYS_AWAY, PAWN_ON_7D_LATER, "S*7f", "only pawns are dropped for it"),
    (STAYS_AWAY, Position::STARTPOS, "7g7f", "nobody wants 7f or 7e yet"),
    (STAYS_AWAY, Position::STARTPOS, "6i7h", "the gold looks at the own camp"),
];
