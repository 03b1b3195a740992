//! The weights that the thesis published.

/// The best organism of the thesis (its table 4), in the order of the chromosome: the name of each
/// feature and its weight. Penalties carry their sign in the feature's value.
pub const PUBLISHED: [(&str, i32); 74] = [
    ("PAWN_VALUE", 100),
    ("LANCE_VALUE", 340),
    ("KNIGHT_VALUE", 209),
    ("SILVER_VALUE", 675),
    ("BISHOP_VALUE", 530),
    ("ROOK_VALUE", 886),
    ("GOLD_VALUE", 787),
    ("PROMOTED_PAWN_BONUS", 970),
    ("PROMOTED_LANCE_BONUS", 297),
    ("PROMOTED_KNIGHT_BONUS", 313),
    ("PROMOTED_SILVER_BONUS", 366),
    ("PROMOTED_BISHOP_BONUS", 188),
    ("PROMOTED_ROOK_BONUS", 42),
    ("PAWN_IN_HAND_BONUS", 649),
    ("LANCE_IN_HAND_BONUS", 618),
    ("KNIGHT_IN_HAND_BONUS", 824),
    ("SILVER_IN_HAND_BONUS", 649),
    ("BISHOP_IN_HAND_BONUS", 980),
    ("ROOK_IN_HAND_BONUS", 382),
    ("GOLD_IN_HAND_BONUS", 855),
    ("PLAYER_KING_THREAT_PENALTY", 228),
    ("BISHOP_MOBILITY", 75),
    ("ROOK_MOBILITY", 33),
    ("ENEMY_KING_ATTACKS", 10),
    ("BISHOP_HEAD_PROTECTED", 39),
    ("BISHOP_HEAD_ATTACK", 5),
    ("PLAYER_KING_DEFENDERS", 31),
    ("PLAYER_KING_ESCAPE_ROUTES", 56),
    ("IN_CAMP_VULNERABILITY_PENALTY", 9),
    ("OUT_CAMP_ATTACK", 22),
    ("CASTLE_FORMATION", 25),
    ("GOLD_AHEAD_SILVER_PENALTY", 1),
    ("GOLD_ADJACENT_ROOK_PENALTY", 2),
    ("BOXED_IN_BISHOP_PENALTY", 60),
    ("PIECE_AHEAD_OF_PAWN_PENALTY", 59),
    ("RECLINING_SILVER", 60),
    ("CLAIMED_FILES", 10),
    ("ADJACENT_SILVERS", 54),
    ("ADJACENT_GOLDS", 58),
    ("ROOK_ENEMY_CAMP", 22),
    ("ROOK_ATTACK_KING_FILE", 35),
    ("ROOK_ATTACK_KING_ADJ_FILE", 20),
    ("ROOK_ATTACK_KING_ADJ_FILE_9821", 49),
    ("ROOK_OPEN_FILE", 20),
    ("ROOK_SEMI_OPEN_FILE", 7),
    ("BLOCKED_FLOW_SAFE", 24),
    ("AGGRESSION_BALANCE", 58),
    ("TOTAL_ATTACKING", 44),
    ("DTK_FRIENDLY_PAWN", 44),
    ("DTK_ENEMY_PAWN", 58),
    ("DTK_FRIENDLY_LANCE", 21),
    ("DTK_ENEMY_LANCE", 23),
    ("DTK_FRIENDLY_KNIGHT", 57),
    ("DTK_ENEMY_KNIGHT", 14),
    ("DTK_FRIENDLY_SILVER", 42),
    ("DTK_ENEMY_SILVER", 19),
    ("DTK_FRIENDLY_BISHOP", 6),
    ("DTK_ENEMY_BISHOP", 45),
    ("DTK_FRIENDLY_ROOK", 22),
    ("DTK_ENEMY_ROOK", 29),
    ("DTK_FRIENDLY_GOLD", 26),
    ("DTK_ENEMY_GOLD", 9),
    ("DTK_FRIENDLY_PROMOTED_PAWN", 13),
    ("DTK_ENEMY_PROMOTED_PAWN", 8),
    ("DTK_FRIENDLY_PROMOTED_LANCE", 11),
    ("DTK_ENEMY_PROMOTED_LANCE", 0),
    ("DTK_FRIENDLY_PROMOTED_KNIGHT", 31),
    ("DTK_ENEMY_PROMOTED_KNIGHT", 50),
    ("DTK_FRIENDLY_PROMOTED_SILVER", 10),
    ("DTK_ENEMY_PROMOTED_SILVER", 21),
    ("DTK_FRIENDLY_PROMOTED_BISHOP", 16),
    ("DTK_ENEMY_PROMOTED_BISHOP", 14),
    ("DTK_FRIENDLY_PROMOTED_ROOK", 42),
    ("DTK_ENEMY_PROMOTED_ROOK", 6),
];

/// The published weights alone, in the order of the features of `paper` and `legacy`.
pub fn weights() -> Vec<i32> {
    PUBLISHED.iter().map(|&(_, weight)| weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FeatureSet;

    #[test]
    fn names_and_widths_are_those_of_the_features() {
        for set in ["paper", "legacy"] {
            let set = FeatureSet::named(set).unwrap();
            let names: Vec<&str> = set.features().iter().map(|feature| feature.name).collect();
            assert_eq!(names, PUBLISHED.map(|(name, _)| name));
            for (feature, weight) in set.features().iter().zip(weights()) {
                assert!((0..1 << feature.bits).contains(&weight), "{}", feature.name);
            }
        }
    }

    /// Values in centipawns that the thesis prints in its table 2; for the legacy set the
    /// pawn's bonuses stand alone.
    #[test]
    fn linked_weights_give_the_values_of_table_2() {
        let value = |set: &str, name: &str| {
            let set = FeatureSet::named(set).unwrap();
            set.effective_weights(&weights())[set.index_of(name).unwrap()]
        };
        assert_eq!(value("paper", "PROMOTED_PAWN_BONUS"), 1070);
        assert_eq!(value("legacy", "PROMOTED_PAWN_BONUS"), 970);
        assert_eq!(value("paper", "PAWN_IN_HAND_BONUS"), 749);
        assert_eq!(value("legacy", "PAWN_IN_HAND_BONUS"), 649);
        for set in ["paper", "legacy"] {
            assert_eq!(value(set, "PROMOTED_SILVER_BONUS"), 1041);
            assert_eq!(value(set, "GOLD_IN_HAND_BONUS"), 1642);
            assert_eq!(value(set, "ROOK_VALUE"), 886);
        }
    }
}
