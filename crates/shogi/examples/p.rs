use tesuji_shogi::*;
fn main() {
    for (s, b, f) in [
        (Position::STARTPOS, 5, 5),
        ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3, 3),
        ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4, 3),
        ("2s1k3l/2r1g1sb1/l2pp1n1p/1p3P1p1/2Pn1p2P/P1nBPg1P1/1P1P2PK1/5R3/L1SG1GSNL b 2Pp 61", 4, 4),
    ] {
        let p = Position::from_sfen(s).unwrap();
        let t = std::time::Instant::now();
        let n = perft(&p, b);
        let e = t.elapsed().as_secs_f64();
        let t = std::time::Instant::now();
        let n2 = perft_full(&p, f);
        let e2 = t.elapsed().as_secs_f64();
        println!("{n} {:.1} M/s   full {n2} {:.1} M/s  size {}", n as f64 / e / 1e6, n2 as f64 / e2 / 1e6, size_of::<Position>());
    }
}
