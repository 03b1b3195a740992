//! Improvement.

use tesuji_eval::plausible::Generator;
use tesuji_shogi::Position;

use super::{COMES, Row, STAYS_AWAY};

pub const ROWS: &[(Generator, &[Row])] = &[
    (Generator::DefendPin, DEFEND_PIN),
    (Generator::EaseTie, EASE_TIE),
    (Generator::GuardUndefended, GUARD_UNDEFENDED),
    (Generator::DefendExchange, DEFEND_EXCHANGE),
    (Generator::CoverOwnCamp, COVER_OWN_CAMP),
    (Generator::Develop, DEVELOP),
];

const DEFEND_PIN: &[Row] = &[
    (COMES, "4k4/9/4r4/9/9/9/4S4/9/4K4 b - 1", "5i6h", "the king leaves the rook's line"),
    (COMES, "4k4/9/4r4/9/9/9/4S4/9/4K4 b P 1", "P*5e", "a pawn closes the line"),
    (COMES, "4k4/9/4r4/9/9/9/4S4/9/3GK4 b - 1", "6i6h", "the gold protects the silver"),
    (STAYS_AWAY, "4k4/9/4r4/9/9/9/4S4/9/4K4 b - 1", "5g5f", "the silver stays pinned"),
    (STAYS_AWAY, "4k4/9/4r4/9/9/9/4S4/9/4K4 b - 1", "5i5h", "the king stays in the line"),
    (
        STAYS_AWAY,
        "4k4/9/4r4/9/9/9/4S4/9/K3G4 b P 1",
        "P*5e",
        "no pin: a gold for a rook is no loss",
    ),
];

const EASE_TIE: &[Row] = &[
    (COMES, "4k4/7r1/9/9/7P1/6G2/8S/9/4K4 b - 1", "1g1f", "the silver frees the gold"),
    (COMES, "4k4/7r1/9/9/7P1/6G2/9/9/4K4 b L 1", "L*2h", "a lance from the hand"),
    (COMES, "3k5/7r1/9/9/7P1/6G2/9/4R4/4K4 b - 1", "5h2h", "the rook from behind"),
    (STAYS_AWAY, "4k4/7r1/9/9/7P1/6G1S/9/9/4K4 b L 1", "L*2h", "gold or silver is free already"),
    (STAYS_AWAY, "4k4/9/9/9/7P1/6G2/8S/9/4K4 b - 1", "1g1f", "nobody attacks the pawn"),
    (STAYS_AWAY, "4k4/7r1/9/9/7P1/9/8S/9/4K4 b - 1", "1g1f", "nobody is tied to it"),
];

const GUARD_UNDEFENDED: &[Row] = &[
    (COMES, "4k4/7r1/9/9/7P1/9/8S/9/4K4 b - 1", "1g1f", "the pawn is attacked and alone"),
    (COMES, "4k4/9/9/9/7P1/9/8S/9/4K4 b - 1", "1g1f", "the pawn is alone"),
    (COMES, "4k4/9/9/9/9/9/4P4/9/4K4 b - 1", "5i5h", "the king protects as well"),
    (STAYS_AWAY, "4k4/7r1/9/9/7P1/9/9/9/4K4 b L 1", "L*2h", "nothing is dropped for it"),
    (STAYS_AWAY, "4k4/9/9/9/7P1/6G2/8S/9/4K4 b - 1", "1g1f", "the gold protects the pawn"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2e", "it does not protect itself"),
];

const DEFEND_EXCHANGE: &[Row] = &[
    (COMES, "4k4/7r1/9/9/7P1/6G2/8S/9/4K4 b - 1", "1g1f", "one attacks, one protects"),
    (COMES, "4k4/7r1/9/6s2/7P1/6G1S/9/9/4K4 b L 1", "L*2h", "two attack, two protect"),
    (COMES, "3k5/7r1/9/9/7P1/6G2/9/4R4/4K4 b - 1", "5h2h", "the rook from behind"),
    (STAYS_AWAY, "4k4/7r1/9/6s2/7P1/6G2/8S/9/4K4 b - 1", "1g1f", "two attack, one protects"),
    (STAYS_AWAY, "4k4/7r1/9/9/7P1/6G1S/9/9/4K4 b L 1", "L*2h", "one attacks, two protect"),
    (STAYS_AWAY, "4k4/9/9/9/7P1/9/8S/9/4K4 b - 1", "1g1f", "nobody attacks or protects"),
];

const COVER_OWN_CAMP: &[Row] = &[
    (COMES, "4k4/9/9/9/9/9/9/5G3/4K4 b - 1", "4h3h", "the gold covers 2g, 2h, 3i"),
    (COMES, "4k4/9/9/9/9/7R1/9/9/4K4 b - 1", "2f2h", "the rook sweeps the rank"),
    (COMES, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2f", "2h, which it left, counts"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*3h", "nothing is dropped for it"),
    (
        STAYS_AWAY,
        "4k4/9/9/9/9/9/4P4/9/4K4 b - 1",
        "5g5f",
        "the pawn attacks 5e, no more of the camp",
    ),
    (STAYS_AWAY, "4k4/9/9/9/9/9/4K4/4G4/R8 b - 1", "5h5i", "king and rook cover all of it"),
];

/// After 7g7f 3c3d.
const BISHOPS_FACE: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
const AFTER_THE_BOOK: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 99";
const LEFT_KING: &str =
    "l1kg3nl/2s2rs2/1png2bpp/p1ppppp2/7P1/PPPBP4/1S1PSPP1P/2G1G2R1/LNK4NL b - 31";
const PIECES_IN_HAND: &str =
    "ln1g4l/2s1k1s2/1r1ppp1p1/p1p3p1p/1P5R1/P1P3P1P/2NPPPN2/2GK2S2/+b1S2G2L b GNPblp 41";
const OPEN_CENTRE: &str =
    "ln1g3nl/1r4g2/2kpp2pp/p4pP2/1pps5/3P1P2P/PP7/3G3R1/LN2KG1NL b BSPb2s3p 61";

const DEVELOP: &[Row] = &[
    (COMES, BISHOPS_FACE, "8h2b+", "the book has the exchange of bishops"),
    (COMES, Position::STARTPOS, "7g7f", "a pattern that everybody plays"),
    (COMES, LEFT_KING, "8i9g", "seldom played, but a gain on the castle's map"),
    (COMES, OPEN_CENTRE, "P*5e", "a pattern of a drop"),
    (STAYS_AWAY, BISHOPS_FACE, "8h3c+", "it takes nothing, but promotes, and is not in the book"),
    (STAYS_AWAY, AFTER_THE_BOOK, "8h2b+", "the book ends before"),
    (STAYS_AWAY, Position::STARTPOS, "1i1h", "neither a pattern nor a gain"),
    (STAYS_AWAY, PIECES_IN_HAND, "N*1g", "likely enough for a move, but not for a drop"),
];
