//! Defences.

use tesuji_eval::plausible::Generator;

use super::{COMES, Row, STAYS_AWAY};

pub const ROWS: &[(Generator, &[Row])] = &[
    (Generator::AnswerCheck, ANSWER_CHECK),
    (Generator::DefendKing, DEFEND_KING),
    (Generator::DefendMaterial, DEFEND_MATERIAL),
    (Generator::DefendDiscovered, DEFEND_DISCOVERED),
    (Generator::DefendPromotion, DEFEND_PROMOTION),
];

const ANSWER_CHECK: &[Row] = &[
    (COMES, "4k4/9/9/9/9/9/4r4/9/4K4 b G 1", "5i4i", "the king goes away"),
    (COMES, "4k4/9/9/9/9/9/4r4/9/4K4 b G 1", "G*5h", "a gold goes between"),
    (COMES, "4k4/9/9/9/9/9/9/4r4/4K4 b - 1", "5i5h", "the king takes the rook"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/5r3/9/4K4 b G 1", "5i6i", "no check"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/4r4/4P4/4K4 b - 1", "5i6h", "the pawn is between already"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5e", "to give check is not to answer one"),
];

const DEFEND_KING: &[Row] = &[
    (COMES, "4k4/9/9/9/9/9/6G2/9/4K4 b - 1", "3g4g", "the gold covers 4h"),
    (COMES, "4k4/9/9/9/5r3/9/9/9/4K4 b - 1", "5i6h", "the king goes: the rook attacks 4h, 4i"),
    (COMES, "4k4/9/7R1/9/7b1/9/9/9/4K4 b - 1", "2c2e", "it takes what bears on 5h"),
    (COMES, "4k4/9/9/9/7b1/9/9/9/4K4 b P 1", "P*3f", "it shuts the bishop out from 5h"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i6h", "the king goes, and nothing threatens it"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5g", "rooks are not dropped for it"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/5G3/4K4 b - 1", "4h3g", "the gold leaves the king"),
];

const DEFEND_MATERIAL: &[Row] = &[
    (COMES, "4k4/9/9/4p4/4S4/9/9/9/4K4 b - 1", "5e6f", "the silver goes to safety"),
    (COMES, "4k4/9/9/7r1/9/9/7P1/9/4K1G2 b - 1", "3i3h", "the gold protects 2g"),
    (COMES, "4k4/9/9/7r1/8S/9/7P1/9/4K4 b - 1", "1e2d", "the silver takes the attacker"),
    (COMES, "4k4/9/9/7r1/9/9/7P1/9/4K4 b L 1", "L*2f", "the lance goes between"),
    (COMES, "4k4/9/9/7r1/9/9/7P1/9/4K4 b L 1", "L*2e", "so it does for nothing, which it may"),
    (STAYS_AWAY, "4k4/9/9/7r1/9/9/7P1/9/4K4 b - 1", "2g2f", "the pawn is lost there too"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/7P1/9/4K1G2 b - 1", "3i3h", "nobody attacks the pawn"),
    (STAYS_AWAY, "4k4/9/9/7r1/9/9/7P1/6G2/4K3S b - 1", "1i1h", "the gold protects 2g already"),
    (STAYS_AWAY, "4k4/9/9/7r1/9/9/7P1/9/4K4 b G 1", "G*2e", "a gold is not given for it"),
];

const DEFEND_DISCOVERED: &[Row] = &[
    (COMES, "4k4/7b1/6p2/9/9/9/9/1R7/4K4 b - 1", "8h2h", "the rook leaves the bishop's line"),
    (COMES, "4k4/7b1/6p2/9/9/9/9/1R7/4K4 b P 1", "P*6f", "a pawn closes the line"),
    (COMES, "4k4/7b1/6p2/9/9/9/9/1R1G5/4K4 b - 1", "6h7h", "the gold protects the rook"),
    (COMES, "4k4/7b1/6p2/9/9/9/9/1B7/4K4 b P 1", "P*6f", "nobody protects the bishop"),
    (STAYS_AWAY, "4k4/7b1/6p2/9/9/9/9/1B7/2G1K4 b P 1", "P*6f", "the gold protects the bishop"),
    (STAYS_AWAY, "4k4/7b1/6p2/9/9/9/9/1R7/4K4 b L 1", "L*6f", "only pawns are dropped for it"),
    (STAYS_AWAY, "4k4/7b1/6p2/9/9/9/9/1R7/4K4 b - 1", "5i4h", "the line stays as it was"),
    (STAYS_AWAY, "4k4/7b1/6p2/5p3/9/9/9/1R7/4K4 b - 1", "8h2h", "two pawns are between"),
];

const DEFEND_PROMOTION: &[Row] = &[
    (COMES, "4k4/9/9/9/9/4p4/9/9/4G3K b - 1", "5i5h", "the gold covers 5g"),
    (COMES, "4k4/9/9/9/9/4p4/5S3/9/8K b - 1", "4g5f", "the silver takes the pawn"),
    (COMES, "4k4/9/9/9/9/4ps3/9/4G4/8K b - 1", "5h5g", "the gold stands on the square"),
    (COMES, "4k4/9/9/9/9/4p4/9/9/8K b L 1", "L*5h", "a lance from the hand covers 5g"),
    (STAYS_AWAY, "4k4/9/9/9/9/4p4/9/9/8K b P 1", "P*5g", "the pawn there would be given away"),
    (STAYS_AWAY, "4k4/9/9/9/9/4p4/9/9/8K b G 1", "G*5h", "golds are not dropped for it"),
    (STAYS_AWAY, "4k4/9/9/9/9/4p4/9/5G3/3S4K b - 1", "6i6h", "the gold covers 5g already"),
    (STAYS_AWAY, "4k4/9/9/9/9/4g4/9/9/4G3K b - 1", "5i5h", "golds do not promote"),
];
