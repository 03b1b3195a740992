//! Threats.

use tesuji_eval::plausible::Generator;

use super::{COMES, Row, STAYS_AWAY};

pub const ROWS: &[(Generator, &[Row])] = &[
    (Generator::Check, CHECK),
    (Generator::AttackKing, ATTACK_KING),
    (Generator::AttackMaterial, ATTACK_MATERIAL),
    (Generator::DiscoveredAttack, DISCOVERED_ATTACK),
    (Generator::ThreatenPromotion, THREATEN_PROMOTION),
];

const CHECK: &[Row] = &[
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5e", "a rook from afar"),
    (COMES, "4k4/9/9/9/4S4/9/9/4R4/4K4 b - 1", "5e4d", "the silver uncovers the rook"),
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*4c", "a knight's jump"),
    (STAYS_AWAY, "4k4/9/4p4/9/9/9/9/9/4K4 b R 1", "R*5e", "a pawn is between"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*4a", "a silver attacks nothing beside it"),
    (STAYS_AWAY, "4k4/9/9/9/4P4/9/9/4R4/4K4 b - 1", "5e5d", "the pawn stays in the rook's way"),
];

const ATTACK_KING: &[Row] = &[
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5c", "the gold bears on 4b, 5b, 6b"),
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", "a general may be given for it"),
    (COMES, "4k4/9/9/6P2/9/9/9/9/4K4 b - 1", "3d3c", "it bears on nothing, but comes near"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5b", "a rook may not be given for it"),
    (STAYS_AWAY, "4k4/9/9/9/9/4P4/9/9/4K4 b - 1", "5f5e", "far away"),
    (STAYS_AWAY, "4k4/9/5G3/9/9/9/9/9/4K4 b - 1", "4c3c", "as near before, and 4b is nothing new"),
];

const ATTACK_MATERIAL: &[Row] = &[
    (COMES, "4k4/9/9/4s4/9/4P4/9/9/4K4 b - 1", "5f5e", "a silver is worth more than a pawn"),
    (COMES, "4k4/9/p8/9/9/9/9/7R1/4K4 b - 1", "2h9h", "nobody protects the pawn"),
    (COMES, "4k4/9/5g3/4p4/5S3/9/9/8R/4K4 b - 1", "1h5h", "two attackers, one protector"),
    (STAYS_AWAY, "4k4/9/5g3/4p4/9/9/9/8R/4K4 b - 1", "1h5h", "the gold protects the pawn"),
    (STAYS_AWAY, "4k4/9/9/4p4/9/9/9/4R4/3K5 b - 1", "5h5g", "it attacked the pawn before"),
    (STAYS_AWAY, "4k4/4r4/6g2/9/9/9/9/9/3K5 b B 1", "B*4c", "the gold takes the bishop"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5e", "the king is no material"),
];

const DISCOVERED_ATTACK: &[Row] = &[
    (COMES, "4k4/9/9/9/4S4/9/9/4R4/4K4 b - 1", "5e4d", "the rook attacks the king"),
    (COMES, "4k4/7r1/9/9/9/9/2P6/1B7/4K4 b - 1", "7g7f", "the bishop attacks a rook"),
    (COMES, "4k4/9/g8/9/9/9/S8/9/L3K4 b - 1", "9g8f", "the lance attacks a gold"),
    (STAYS_AWAY, "4k4/9/9/9/4P4/9/9/4R4/4K4 b - 1", "5e5d", "the pawn stays in the line"),
    (STAYS_AWAY, "9/5k3/6p2/9/9/9/2P6/1B7/4K4 b - 1", "7g7f", "the king protects the pawn"),
    (STAYS_AWAY, "4k4/9/9/4p4/4P4/9/9/4R4/3K5 b - 1", "5e5d", "it takes what the line led to"),
];

const THREATEN_PROMOTION: &[Row] = &[
    (COMES, "4k4/9/9/9/4P4/9/9/9/4K4 b - 1", "5e5d", "next on 5c, which nobody covers"),
    (COMES, "4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5d", "a dangling pawn"),
    (COMES, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h3h", "a rook on an open file"),
    (STAYS_AWAY, "4k4/4g4/9/9/4P4/9/9/9/4K4 b - 1", "5e5d", "the gold covers 5c"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/9/4K4 b S 1", "S*5d", "a silver is not dropped for it"),
    (STAYS_AWAY, "4k4/9/9/9/4G4/9/9/9/4K4 b - 1", "5e5d", "golds do not promote"),
    (STAYS_AWAY, "4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "2h2g", "it could promote on that file before"),
];
