//! Positions that measurements search: two starts, a castle on both sides, games of the engine
//! against itself from its first moves to its last ones, and two kings that have entered.

/// The positions. Another list is another checksum.
pub const POSITIONS: [&str; 24] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "ln5nl/1kgs1g1r1/1ppp1sbpp/p3ppp2/9/P1P1PPP2/1P1PS1BPP/1R1G1SGK1/LN5NL b - 41",
    "lnsg1gsnl/1r2k2b1/p1pppppp1/1p7/9/2P1P1PPp/PP1P1P3/1B2GK1R1/LNSG2SNL b p 15",
    "lnsgkg1nl/6rs1/1ppppp1pp/p8/6p2/PPPP1P3/4P1PPP/7R1/LNSGKGSNL w Bb 15",
    "lnsg1k1nl/1r4gs1/pppppp1p1/6p1p/9/2P5P/PP+bPPPPP1/2RG1S3/LNSK1G1NL b b 15",
    "1nsgkgsnl/1r5b1/2ppppppp/l8/p8/2P6/PS1PPPPPP/LB5R1/1N1GKGSNL w Pp 15",
    "lnsg2snl/1rk2g1b1/pppppppp1/8p/P5P2/9/BPPPPP1PP/3S1K1R1/LN1G1GSNL b - 15",
    "ln2k1gnl/2g3r2/1pp1spspp/p2pp+r3/6p2/PPPP5/4PSPPP/2G2G1K1/LN4SNL w 2Bp 39",
    "l2g1k1nl/1r1s2gs1/p2ppp1p1/2p3p1p/1p1nP4/2P2P2P/PPnSS1PP1/1R1G5/L1K3GNL b Bbp 39",
    "2s1kgsnl/4g2b1/2ppppppp/l8/p3N1N2/2P6/P2PPPPPP/r1GK5/5GSNL w BPrslp 39",
    "1nsg2snl/2k2g3/1ppppppp1/8P/+r5b2/4PP3/1PPP+nK1P1/6R2/3G1GSNL b BL2Psl2p 39",
    "ln3g1nl/b1g2s3/p1sp3k1/4ppppp/9/PPP1PR1P1/3P2P1P/2S3KR1/LN1G1GSNL w B3P 39",
    "lnsg1g3/1r4sbP/2ppkppp1/pp1lp4/3l3K1/2P1PGPP1/PPBP1PN2/2S4R1/LN1G2S2 b Np 39",
    "2s2g1nl/1r7/S2p1+L1pp/1ppkp1p2/3g5/4P2PP/1P+bP1PP2/3NK2R1/+p2G1GSNL w N2Pbslp 63",
    "ln6l/ksb1g4/p1p1p4/1P3pp1p/2P+RN2p1/4PP2P/P1SPS1P2/1R4G2/LNG1K2NL b G2Pbsp 63",
    "ln4k1l/2g2g1r1/1ppn1sNpp/p2pb4/4pPBP1/P2SS4/1PSP4P/2G2G1R1/LN1K4L w 4Pp 63",
    "ln1g2l1+R/2s2k1g1/ppp1pp2p/3S2p2/3+R5/2P6/PP1PPG3/3L1S1+b1/LNSGK4 b 2N3Pb3p 63",
    "lnsg3+R1/2kr1g3/1p3pp2/2s1pn3/3p5/p1P6/2BPPPPP1/3G2SK1/LNS2G1N1 w BL3Pl3p 63",
    "lrsg1g1nl/1k4s2/p1p+P1p3/6ppp/1pN6/P1P1+rP3/1KS3S1P/5G3/LN1G3NL b 2b6p 63",
    "ln6l/5gr2/1pp3Nkp/p2p+B1Pp1/5Pp2/P4sB2/1PSP4P/2G2G1+s1/LN1K4L w GS3Prn2p 87",
    "lns5+P/1rkg1+S3/2ppN2p1/pp2P4/2L3K2/2P+Bb1PP1/P4g2L/4S4/L2+r2+n2 b G4Pgsn3p 111",
    "kl7/4gg3/1p1s1pp2/p3p4/3+R5/2P3n2/N1GPSPPP1/PR4S1K/b4G1N1 w BSN2L5Pl2p 111",
    "1+P2+R2+P1/2+P1K1S2/+B1G3G1+P/9/9/9/+p1g3s1+b/2s1k1+p2/1+p2+r2+p1 b S2N2L5Pg2n2l5p 161",
];
