use super::*;

#[test]
fn names_are_extensions_and_unique() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(Format::of_path(Path::new(&format!("a.b/c.{format}"))), Some(format));
    }
    assert_eq!(Format::from_name("pgn"), None);
}

#[test]
fn other_extensions() {
    for (name, format) in [
        ("game.KIF", Format::Kif),
        ("game.kifu", Format::Kif),
        ("game.json", Format::Jkf),
        ("book.sfen", Format::Usi),
        ("train.bin", Format::Psv),
        ("games.tsv.zst", Format::Tsv),
        ("GAMES.CSA.ZST", Format::Csa),
    ] {
        assert_eq!(Format::of_path(Path::new(name)), Some(format), "{name}");
    }
    for name in ["game.txt", "kif", "game.", "", "kif.zst", ".zst"] {
        assert_eq!(Format::of_path(Path::new(name)), None, "{name}");
    }
}

#[test]
fn content_tells_the_format() {
    for (text, format) in [
        ("#date\tevent\tgame\n", Format::Tsv),
        ("startpos moves 7g7f\n", Format::Usi),
        ("\u{feff}position startpos\n", Format::Usi),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", Format::Usi),
        ("  {\"header\":{}}", Format::Jkf),
        ("V2.2\nN+Ono\nPI\n+\n", Format::Csa),
        ("'a comment\nP1-KY * \n", Format::Csa),
        ("# ---- file ----\n手合割：平手\n手数----指手---------消費時間--\n", Format::Kif),
        ("手数----指手---------消費時間--\n   1 ７六歩(77)\n", Format::Kif),
        ("開始日時：2021/03/04\n先手：甲\n後手：乙\n\n▲７六歩 △３四歩\n", Format::Ki2),
    ] {
        assert_eq!(Format::of_content(text.as_bytes()), Some(format), "{text}");
    }
}

#[test]
fn japanese_in_shift_jis_is_known_too_even_when_cut() {
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode("手合割：平手\n先手：甲野\n");
    for cut in 0..4 {
        assert_eq!(Format::of_content(&bytes[..bytes.len() - cut]), Some(Format::Kif));
    }
}

#[test]
fn nonsense_is_no_format() {
    let book = b"#YANEURAOU-DB2016 1.00\nsfen 9/9/9/9/9/9/9/9/9 b - 1\n";
    for bytes in [&b""[..], b"\n\n", b"hello\nworld\n", book, &[0xff; 80], &[0; 80]] {
        assert_eq!(Format::of_content(bytes), None, "{bytes:?}");
    }
}
