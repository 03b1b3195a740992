//! Swap rules: for each one a position in which it holds and one in which it does not.

use std::collections::BTreeSet;

use tesuji_eval::formations::Formations;
use tesuji_shogi::{Color, Position};

/// A side with the castle under way.
type Case = (Color, &'static str, &'static str);

/// The castle that takes the place, where the rule holds, where it does not, and whether it changes
/// there what is built: the castle that gives way is the one that suits best.
type Row = (&'static str, Case, Case, bool);

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

/// Most are positions of masters' games.
const RULES: [Row; 19] = [
    (
        "left_mino",
        (
            WHITE,
            "static_rook_anaguma",
            "ln3gsnl/1r4k2/p1ppsgbpp/4ppp2/1p7/2PP1PP1P/PPBSP1NP1/3RG1S2/LN2KG2L b - 25",
        ),
        (
            BLACK,
            "static_rook_anaguma",
            "lnsg3nl/1k2g1r2/ppp1s1bpp/3pppp2/7P1/2P1P4/PPBPSPP1P/L6R1/KNSG1G1NL b - 25",
        ),
        true,
    ),
    (
        "millennium",
        (
            BLACK,
            "static_rook_anaguma",
            "l1kg3nl/2s1g1r2/1pn1s1bpp/p1ppppp2/7P1/2P1P1P2/PP1P1P2P/1KSB1S1R1/LN1GG2NL b - 27",
        ),
        (
            BLACK,
            "static_rook_anaguma",
            "l1kg3nl/2s1g1r2/1pn1s1bpp/p1ppppp2/7P1/2P1P1P2/PP1P1P2P/LS1B1S1R1/KN1GG2NL b - 31",
        ),
        false,
    ),
    (
        "left_silver_crown",
        (
            BLACK,
            "castle_keep_mino",
            "l1s1k2nl/1r2gbg2/2np1s1pp/2p1ppP2/pp5P1/P1P2S1R1/1PBPPP2P/2SKG4/LN1G3NL b P 31",
        ),
        (
            WHITE,
            "castle_keep_mino",
            "ln3g1nl/1r1sg1sb1/p2p3k1/2p1ppppp/1p7/2PPP1PPP/PPB1SP3/2R1G1SK1/LN3G1NL w - 30",
        ),
        true,
    ),
    (
        "left_mino",
        (
            WHITE,
            "castle_keep",
            "l4g2l/1r2g1s2/2n3n2/p1p1sbpk1/3Pp2pP/1PP1P1P2/P1B2SN2/3RG1SK1/LN3G2L w 3P3p 56",
        ),
        (
            BLACK,
            "castle_keep",
            "l3b2nl/1kg3r2/1p2ps1pp/psgp1p3/2pnP1pP1/PP1SSP2P/1K1G2P2/1BG4R1/LN5NL b Pp 51",
        ),
        false,
    ),
    (
        "elmo",
        (BLACK, "boat", "lnsgkgsnl/6rb1/ppppp2pp/5pp2/9/2P4P1/PP1PPPP1P/1B1S1S1R1/LN1GKG1NL b - 9"),
        (BLACK, "boat", "lnsgkgsnl/6rb1/ppppp2pp/5pp2/9/2P4P1/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 7"),
        false,
    ),
    (
        "static_rook_anaguma",
        (
            BLACK,
            "boat",
            "ln1g3nl/1k2gr3/1spsp1bpp/pp1p2p2/2P1Pp1P1/PPSS3R1/2BP1PP1P/2K1G4/LN1G3NL w - 38",
        ),
        (
            BLACK,
            "boat",
            "lnsg1g1nl/2k2r1b1/ppppps1pp/5pp2/9/P1P1P2P1/1P1P1PP1P/1BK2S1R1/LNSG1G1NL b - 15",
        ),
        true,
    ),
    (
        "left_silver_crown",
        (
            BLACK,
            "left_mino",
            "kn1g1g1nl/ls3r1b1/ppppps1pp/5pp2/P8/2P1P2P1/1PBPSPP1P/1K2G2R1/LNSG3NL w - 24",
        ),
        (
            BLACK,
            "boat",
            "lnsg1g1nl/2k2r1b1/ppppps1pp/5pp2/9/P1P1P2P1/1P1P1PP1P/1BK2S1R1/LNSG1G1NL b - 15",
        ),
        true,
    ),
    (
        "left_mino",
        (
            BLACK,
            "crab",
            "lnsgkg1nl/3r3b1/pp1ppp1pp/2p1s1p2/9/2P1P4/PP1P1PPPP/1BS4R1/LN1GKGSNL b - 11",
        ),
        (
            BLACK,
            "gold_yagura",
            "ln4knl/3rg1g2/1p2ppsp1/p1p1s1p1p/3p5/P1P1SPPPP/1PSPPGN2/1KG4R1/LN6L w Bb 36",
        ),
        false,
    ),
    (
        "horned_snowroof",
        (
            WHITE,
            "gold_yagura",
            "l6nl/1r3sgk1/2bp1g1pp/2p1ppps1/pp1P3NP/2P1PSPP1/SP1G1P3/1KGB2R2/LN6L b Np 53",
        ),
        (
            BLACK,
            "gold_yagura",
            "ln4knl/1r2g1g2/p3ssbpp/2ppppp2/1p5P1/2PPP1P2/PPSG1PS1P/2GB3R1/LN1K3NL b - 33",
        ),
        true,
    ),
    (
        "floating_chrysanthemum_yagura",
        (
            WHITE,
            "gold_yagura",
            "l6nl/1r3sgk1/2b2g1pp/2p1ppPs1/pp1p3NP/2P1PS1P1/SP1G1Pp1L/1KGB4R/LN7 w NPp 66",
        ),
        (
            BLACK,
            "gold_yagura",
            "ln4knl/1r2g1g2/p3ssbpp/2ppppp2/1p5P1/2PPP1P2/PPSG1PS1P/2GB3R1/LN1K3NL b - 33",
        ),
        true,
    ),
    (
        "gold_yagura",
        (
            BLACK,
            "yagura_anaguma",
            "l2r3nl/2k1g4/2ng1s1pp/2p2ppb1/pp2P4/2P2P3/PPBG2P1P/LS5R1/KNG4NL b SPs3p 57",
        ),
        (
            BLACK,
            "yagura_anaguma",
            "ln5nl/1kg1g2r1/1ssp2bpp/ppp1ppp2/7P1/P1PPP1P1P/1PSG1PN2/L4S1R1/KNBG4L b - 41",
        ),
        true,
    ),
    (
        "snowroof_right_king",
        (
            BLACK,
            "new_snowroof",
            "l4k1nl/2r1g1gb1/2np1s1p1/ppps1pp1p/4p4/P1PP1PP2/1PS1PSN1P/2GBG4/LN2K2RL w P 42",
        ),
        (
            BLACK,
            "new_snowroof",
            "l4k1nl/2r1g1gb1/2np1s1p1/ppps1pp1p/4p4/P1PP1PP2/1PS1PSN1P/2GBG4/LN1K3RL w P 42",
        ),
        false,
    ),
    (
        "diamond_mino",
        (
            BLACK,
            "high_mino",
            "ln1g3nl/1ks2r3/1ppppp1pp/p5p2/9/2P2P2P/PP1PPSPP1/1R2G1SK1/LN3G1NL b b 31",
        ),
        (
            BLACK,
            "high_mino",
            "ln1g3nl/1ks2r3/1ppppp1pp/p5p2/9/2P2P2P/PP1PPSPP1/1R2G1SK1/LN3G1NL b - 31",
        ),
        false,
    ),
    (
        "high_mino",
        (
            WHITE,
            "mino",
            "ln1g3nl/2k1g1r2/1ppspsbpp/p2p1pp2/4B2P1/P1PPP1P2/1P2SP2P/1KS1G2R1/LN1G3NL w - 30",
        ),
        (
            WHITE,
            "single_wing_mino",
            "ln1g1g1nl/1ks2sr2/ppppp1bpp/5pp2/7P1/2P1PPP2/PP1P4P/1BK1GS1R1/LNSG3NL w - 20",
        ),
        true,
    ),
    (
        "silver_crown",
        (
            WHITE,
            "single_wing_mino",
            "ln3ksnl/6gb1/p1pgpp1pp/4r4/1P7/1S2PB3/P1PP1PP1P/2G4R1/LN2KGSNL b SP3p 51",
        ),
        (
            WHITE,
            "single_wing_mino",
            "ln1g1g1nl/1ks2sr2/ppppp1bpp/5pp2/7P1/2P1PPP2/PP1P4P/1BK1GS1R1/LNSG3NL w - 20",
        ),
        true,
    ),
    (
        "ranging_rook_silver_crown_anaguma",
        (
            BLACK,
            "ranging_rook_anaguma",
            "lr4snk/6gsl/n3pg1pp/pbp2pp2/1p1pP3P/P1P1RPPP1/NP1P3S1/6GSL/L3B1GNK w - 60",
        ),
        (
            BLACK,
            "ranging_rook_anaguma",
            "lr4snk/6gsl/n3pg1pp/pbp2pp2/1p1pP3P/P1P1RPPP1/NP1P2S2/6GSL/L3B1GNK w - 60",
        ),
        false,
    ),
    (
        "peerless_golds",
        (BLACK, "mino", "lnsgkgsnl/5r1b1/ppppp2pp/5pp2/2P6/9/PP1PPPPPP/1BR6/LNSGKGSNL b - 7"),
        (
            WHITE,
            "single_wing_mino",
            "ln1g1g1nl/1ks2sr2/ppppp1bpp/5pp2/7P1/2P1PPP2/PP1P4P/1BK1GS1R1/LNSG3NL w - 20",
        ),
        true,
    ),
    (
        "right_yagura",
        (
            BLACK,
            "peerless_golds",
            "ln5nl/2kgg4/spppp1b1p/p3s1pr1/1P7/PR1PS1P2/2B1PPSPP/4GGK2/LN5NL w P2p 52",
        ),
        (
            WHITE,
            "peerless_golds",
            "ln1g3nl/1sk1gr3/1pppp1b1p/p3s1pp1/1P3p3/P1RPS4/4PPPPP/1B2GGK2/LN4SNL w P 34",
        ),
        true,
    ),
    (
        "horned_snowroof",
        (
            WHITE,
            "crab",
            "l4k1nl/1r3sgb1/p1ng1s1pp/2pp1pp2/Pp2P4/2PP1S3/1PSG1PP1P/1BG4R1/LNK4NL b Pp 45",
        ),
        (
            BLACK,
            "crab",
            "lns1k2nl/1r2g1g2/2ppp1sp1/5p2p/p8/2PBPS2P/PP1P1P+pP1/1SG1G2R1/LN1K3NL b b2p 37",
        ),
        true,
    ),
];

/// The place of the rule that holds, if one does.
fn rule(formations: &Formations, (color, castle, sfen): Case) -> Option<usize> {
    let position = Position::from_sfen(sfen).unwrap();
    let castle = formations.castles().iter().position(|one| one.names.id == castle).unwrap();
    let held = formations.swap_rule(&position, color, castle)?;
    formations.swaps().iter().position(|rule| std::ptr::eq(rule, held))
}

#[test]
fn every_swap_rule_holds_where_it_should() {
    let formations = Formations::shipped();
    let castle = |index: usize| &*formations.castles()[index].names.id;
    let mut known = BTreeSet::new();
    for (to, holds, not, changes) in RULES {
        let held = rule(formations, holds).unwrap_or_else(|| panic!("no rule to {to}: {holds:?}"));
        assert_eq!(castle(formations.swaps()[held].to), to, "{holds:?}");
        assert_ne!(rule(formations, not), Some(held), "{to}: {not:?}");
        known.insert(held);
        if changes {
            let (color, from, sfen) = holds;
            let position = Position::from_sfen(sfen).unwrap();
            let wanted = formations.wanted(&position, color, 1, None);
            let (gave_way, swap) = wanted[0].swap.expect("the castle that suits best gives way");
            assert_eq!((castle(gave_way), castle(wanted[0].castle)), (from, to), "{sfen}");
            assert!(std::ptr::eq(swap, &formations.swaps()[held]));
        }
    }
    let all: BTreeSet<usize> = (0..formations.swaps().len()).collect();
    assert_eq!(known, all, "a rule without a position");
}
