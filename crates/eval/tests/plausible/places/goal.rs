//! Goals.

use tesuji_eval::plausible::Generator;

use super::{COMES, Row, STAYS_AWAY};

pub const ROWS: &[(Generator, &[Row])] =
    &[(Generator::Capture, CAPTURE), (Generator::Promote, PROMOTE)];

const CAPTURE: &[Row] = &[
    (COMES, "4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1", "5f5e", "a pawn takes a pawn"),
    (COMES, "4k4/4g4/9/9/9/9/9/4R4/4K4 b - 1", "5h5b", "bad as it is: the king takes the rook"),
    (COMES, "4k4/9/9/9/9/9/9/4p4/4K4 b - 1", "5i5h", "the king takes what gives check"),
    (STAYS_AWAY, "4k4/9/9/9/4p4/9/4P4/9/4K4 b - 1", "5g5f", "the pawns only meet"),
    (STAYS_AWAY, "4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", "the square is empty"),
    (STAYS_AWAY, "4k4/9/9/9/4p4/9/9/9/4K4 b P 1", "P*5f", "a drop takes nothing"),
];

const PROMOTE: &[Row] = &[
    (COMES, "4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", "the silver goes in"),
    (COMES, "4k4/9/6S2/9/9/9/9/9/4K4 b - 1", "3c4d+", "the silver comes out"),
    (COMES, "k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a+", "the pawn must"),
    (STAYS_AWAY, "4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", "the silver goes in as a silver"),
    (STAYS_AWAY, "4k4/9/9/4G4/9/9/9/9/4K4 b - 1", "5d5c", "golds do not promote"),
    (STAYS_AWAY, "4k4/9/2+P6/9/9/9/9/9/4K4 b - 1", "7c7b", "a tokin has promoted before"),
];
