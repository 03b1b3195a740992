//! Pages and figures are well-formed, hold their text as text, fit into their frame, ask for
//! nothing from outside, and are the same bytes each time.

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use sha2::{Digest, Sha256};
use tesuji_report::{
    Arrow, ArrowKind, Axis, Bar, BarChart, BoardFigure, Cell, ChanceGraph, Cloud, Column,
    ConfusionMatrix, Figure, GamePly, GameView, KeyFigure, Lang, LineChart, Mark, Page, PieceStyle,
    RangePlot, RangeRow, Scatter, Series, SquareMap, Table, standalone_svg,
};
use tesuji_shogi::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// Reads a document to its end and hands each element to `see`; returns all text joined.
fn read(document: &str, mut see: impl FnMut(&BytesStart<'_>)) -> String {
    let mut reader = Reader::from_str(document);
    reader.config_mut().check_end_names = true;
    let (mut text, mut depth) = (String::new(), 0);
    loop {
        match reader.read_event().unwrap_or_else(|e| panic!("{e} at {}", reader.error_position())) {
            Event::Start(element) => {
                depth += 1;
                see(&element);
            }
            Event::Empty(element) => see(&element),
            Event::End(_) => depth -= 1,
            Event::Text(part) => text += &part.decode().unwrap(),
            Event::GeneralRef(name) => {
                let name = name.decode().unwrap();
                text.push(match &*name {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "#39" => '\'',
                    other => panic!("unexpected reference {other}"),
                });
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "everything that is opened is closed");
    text
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let all = element.attributes().map(|attribute| attribute.expect("attributes are well-formed"));
    let mut found = all.filter(|attribute| attribute.key.as_ref() == name.as_bytes());
    found.next().map(|attribute| attribute.unescape_value().unwrap().into_owned())
}

fn number(element: &BytesStart<'_>, name: &str) -> f64 {
    attribute(element, name).map_or(0.0, |text| text.parse().expect("a number"))
}

fn line_chart(points: &[(f64, f64)], label: &str) -> LineChart {
    let band: Vec<_> = points.iter().map(|&(x, y)| (x, y - 1.0, y + 1.0)).collect();
    LineChart::new(Axis::new(label), Axis::new(label))
        .series(Series::new(label, points.to_vec()).band(band))
        .series(Series::new("dots", points.iter().map(|p| (p.0, p.1 / 2.0))).dots().dashed())
        .reference(12.0, label)
}

/// A figure of each kind made from any numbers and any text.
fn figures(points: &[(f64, f64)], label: &str) -> Vec<Box<dyn Figure>> {
    let mut bars = BarChart::new(label, Axis::new(label), 2).comparison(label).heading(label);
    let mut ranges = RangePlot::new(label, Axis::new(label), 1).comparison(label).heading(label);
    let mut cloud = Cloud::new(label);
    for &(x, y) in points {
        bars = bars.bar(Bar::new(label, x).error(x - 1.0, x + 1.0).compared([Some(y), None]));
        ranges = ranges.row(RangeRow::new(label, [x, y, x]).compared([Some(y)]));
        cloud = cloud.point(x, y, label);
    }
    let scatter = Scatter::new(Axis::new(label), Axis::new(label).logarithmic());
    let counts: Vec<Vec<u64>> = vec![vec![3, 1], vec![0, 1 << 40]];
    vec![
        Box::new(line_chart(points, label)),
        Box::new(bars),
        Box::new(ranges),
        Box::new(scatter.cloud(cloud.clone()).cloud(cloud).diagonal().reference(1.0, label)),
        Box::new(ConfusionMatrix::new(&[label, "b"], &counts).titles(label, label)),
        Box::new(board(label)),
        Box::new(map(points)),
    ]
}

/// A map with any numbers on the squares of a rank.
fn map(points: &[(f64, f64)]) -> SquareMap {
    let squares = Square::all().filter(|square| square.rank() == 3);
    SquareMap::new(squares.zip(points).map(|(square, point)| (square, point.1)))
        .piece("8h".parse().unwrap(), Piece::new(Color::Black, PieceKind::King))
        .faint(Square::all().filter(|square| square.file() > 5).collect::<Bitboard>())
}

fn board(label: &str) -> BoardFigure {
    let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    BoardFigure::new(&Position::from_sfen(sfen).unwrap())
        .highlight(Square::all().filter(|square| square.rank() == 5).collect::<Bitboard>())
        .last_move("5b4b+".parse().ok())
        .arrow(Arrow::new("6f3i+".parse().unwrap(), ArrowKind::Master, label))
        .arrow(Arrow::new("G*5e".parse().unwrap(), ArrowKind::Chosen, label))
}

fn page(points: &[(f64, f64)], label: &str, lang: Lang) -> Page {
    let mut page = Page::new(label, lang);
    page.lead(label).footer(label).section(label).paragraph(label).note(label).warning(label);
    page.key_figures(&[KeyFigure::new(label, label).note(label)]).code(label).list(&[label]);
    let mut table = Table::new([Column::text(label), Column::number("n"), Column::text("s")]);
    table.caption(label).row([Cell::text(label)]).heading(label);
    for &(x, y) in points {
        table.row([Cell::text(label), Cell::number(x, 1).bar(x), Cell::spread([x, y], 0).mark(y)]);
    }
    page.section(label).table(&table).details(label, |page| {
        page.subsection(label).table(&table);
    });
    for figure in figures(points, label) {
        page.figure(&*figure, label);
    }
    page
}

/// A short game with any text and any chances.
fn game(label: &str, chances: [f64; 4]) -> GameView {
    let mut position = Position::startpos();
    let moves = [None, Some("7g7f"), Some("3c3d"), Some("8h2b+")];
    let marks = [None, Some(Mark::Best), Some(Mark::Inaccuracy), Some(Mark::Blunder)];
    let mut plies = Vec::new();
    for (number, ((mv, mark), chance)) in moves.into_iter().zip(marks).zip(chances).enumerate() {
        let last_move = mv.map(|mv| mv.parse().unwrap());
        if let Some(mv) = last_move {
            position = position.after(mv).unwrap();
        }
        plies.push(GamePly {
            number,
            position,
            last_move,
            name: label.to_owned(),
            mark,
            score: label.to_owned(),
            chance,
            drawn: chance,
            arrows: vec![Arrow::new(position.legal_moves()[0], ArrowKind::Master, label)],
            remarks: vec![(label.to_owned(), label.to_owned())],
        });
    }
    GameView::new(plies)
}

/// A page with a game to step through.
fn game_page(label: &str, chances: [f64; 4], lang: Lang) -> String {
    let view = game(label, chances);
    let mut page = Page::new(label, lang);
    page.section("Game").figure(&ChanceGraph::new(&view).tick(0.5, label), label).game(&view);
    page.to_html()
}

const CHANCES: [f64; 4] = [0.5, 0.55, 0.75, 0.04];

#[test]
fn every_link_of_a_game_leads_somewhere() {
    let html = game_page("☗７六歩", CHANCES, Lang::English);
    let (mut ids, mut links, mut shown) = (Vec::new(), Vec::new(), 0);
    read(&html, |element| {
        ids.extend(attribute(element, "id"));
        links.extend(attribute(element, "href").filter(|address| address != "data:,"));
        shown += usize::from(attribute(element, "class").as_deref() == Some("ply shown"));
    });
    assert_eq!(shown, 1);
    let count = ids.len();
    assert!(links.iter().all(|link| ids.contains(&link[1..].to_owned())), "{ids:?} {links:?}");
    for ply in 0..4 {
        // From the list, from the graph in both widths, and from another board.
        let to = links.iter().filter(|link| **link == format!("#ply-{ply}")).count();
        assert!(to >= 4, "{ply}: {to}");
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// The one script of a page is the one that its policy names by its hash, and nothing comes from
/// outside.
#[test]
fn only_the_script_of_the_page_may_run() {
    let html = game_page("x", CHANCES, Lang::English);
    let (_, rest) = html.split_once("<script>").unwrap();
    let (script, rest) = rest.split_once("</script>").unwrap();
    assert!(!rest.contains("<script"));
    let hash = base64(&Sha256::digest(script.as_bytes()));
    assert!(html.contains(&format!("script-src 'sha256-{hash}';")), "the hash is sha256-{hash}");
    for outside in ["http://", "https://", "src=", "@import", "url(", "fetch(", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // A page without a game has no script and lets none run.
    let plain = page(&plausible(), "x", Lang::English).to_html();
    assert!(!plain.contains("script"));
}

fn base64(bytes: &[u8]) -> String {
    let letter = |index: u8| match index {
        0..26 => b'A' + index,
        26..52 => b'a' + index - 26,
        52..62 => b'0' + index - 52,
        62 => b'+',
        _ => b'/',
    };
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let shown = i <= group.len();
            text.push(if shown { letter((bits >> (18 - 6 * i) & 63) as u8).into() } else { '=' });
        }
    }
    text
}

/// Everything but the heads of arrows and such stays within the drawing.
fn assert_inside(svg: &str) {
    let (mut width, mut height) = (0.0, 0.0);
    let mut turned = false;
    read(svg, |element| {
        let name = element.name().as_ref().to_owned();
        if name == b"svg" {
            (width, height) = (number(element, "width"), number(element, "height"));
        }
        // Groups that are moved have coordinates of their own.
        turned |= attribute(element, "transform").is_some();
        for (names, end) in [(["x", "x1", "x2", "cx"], width), (["y", "y1", "y2", "cy"], height)] {
            for name in names {
                let at = number(element, name);
                assert!(turned || (-0.5..=end + 0.5).contains(&at), "{element:?} outside {end}");
            }
        }
    });
}

fn plausible() -> Vec<(f64, f64)> {
    (0..20).map(|i| (f64::from(i), f64::from(i * i) - 30.0)).collect()
}

#[test]
fn drawings_keep_inside_at_every_width() {
    for width in [300.0, 350.0, 560.0, 880.0] {
        for lang in [Lang::English, Lang::Japanese] {
            for figure in figures(&plausible(), "a label of middling length") {
                assert_inside(&standalone_svg(&*figure, width, lang, "x"));
            }
            for chances in [CHANCES, [0.0, 1.0, f64::NAN, -3.0]] {
                let view = game("a name", chances);
                let graph = ChanceGraph::new(&view).tick(0.9, "+1000");
                assert_inside(&standalone_svg(&graph, width, lang, "x"));
            }
        }
    }
}

#[test]
fn a_page_asks_for_nothing_from_outside() {
    let html = page(&plausible(), "Results", Lang::English).to_html();
    for outside in ["http://", "https://", "src=", "@import", "url(", "<script", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(html.contains("<html lang=\"en\">"));
    read(&html, |element| {
        if let Some(address) = attribute(element, "href") {
            assert!(address.starts_with('#') || address == "data:,", "{address}");
        }
    });
}

#[test]
fn anchors_are_unique_and_every_line_of_the_contents_leads_to_one() {
    let mut page = Page::new("x", Lang::Japanese);
    page.section("All weights").section("All weights").section("駒の価値").section("???");
    page.section("Figure 1").figure(&board(""), "x").section("All-weights 2");
    let (mut ids, mut links) = (Vec::new(), Vec::new());
    let text = read(&page.to_html(), |element| {
        ids.extend(attribute(element, "id"));
        links.extend(attribute(element, "href").filter(|address| address.starts_with('#')));
    });
    assert!(text.contains("目次"));
    let count = ids.len();
    assert_eq!(links.len(), 6);
    assert!(links.iter().all(|link| ids.contains(&link[1..].to_owned())), "{ids:?} {links:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn a_board_shows_every_piece_turned_to_its_owner() {
    let start = Position::startpos();
    let svg = standalone_svg(&BoardFigure::new(&start), 0.0, Lang::Japanese, "start");
    assert_eq!(svg.matches("rotate(180)").count(), 20);
    let mut kanji: Vec<char> =
        read(&svg, |_| {}).chars().filter(|c| "歩香桂銀金角飛王玉".contains(*c)).collect();
    kanji.sort_unstable();
    assert_eq!(kanji.len(), 40);
    assert_eq!(kanji.iter().filter(|&&c| c == '歩').count(), 18);
    let white = BoardFigure::new(&start).seen_by(Color::White);
    assert_eq!(standalone_svg(&white, 0.0, Lang::English, "").matches("rotate(180)").count(), 20);
    let letters = BoardFigure::new(&start).style(PieceStyle::Letters);
    let text = read(&standalone_svg(&letters, 0.0, Lang::English, ""), |_| {});
    let drawn = text.rsplit('}').next().unwrap();
    assert!(drawn.is_ascii() || drawn.chars().all(|c| c.is_ascii() || c == '–'), "{drawn}");
}

#[test]
fn a_map_is_shaded_by_the_size_of_its_numbers() {
    let values = [("5e", 50.0), ("4e", -100.0), ("3e", 0.0), ("2e", f64::NAN)];
    let values = values.map(|(square, value)| (square.parse().unwrap(), value));
    let shades = |map: &SquareMap| {
        let mut shades = Vec::new();
        read(&standalone_svg(map, 0.0, Lang::English, "map"), |element| {
            if let Some(degree) = attribute(element, "fill-opacity") {
                shades.push(format!("{} {degree}", attribute(element, "class").unwrap()));
            }
        });
        shades
    };
    let map = SquareMap::new(values);
    assert_eq!(shades(&map), ["heat 0.45", "cold 0.9", "heat 0"]);
    assert_eq!(shades(&map.clone().largest(200.0)), ["heat 0.23", "cold 0.45", "heat 0"]);
    // The number of a dark square is light, and squares are told when they are pointed at.
    let svg = standalone_svg(&map, 0.0, Lang::English, "map");
    assert_eq!(svg.matches("class=\"on-heat\"").count(), 1);
    assert!(svg.contains("<title>4e: −100</title>") && !svg.contains("2e:"));
}

#[test]
fn a_small_figure_is_literal_text() {
    let chart = BarChart::new("ours", Axis::new("pawns"), 1).bar(Bar::new("Rook", 2.0));
    let svg = standalone_svg(&chart, 300.0, Lang::English, "values");
    let drawn = svg.split("</style>").nth(1).unwrap();
    let expected = concat!(
        "<line class=\"zero\" x1=\"44.5\" y1=\"4\" x2=\"44.5\" y2=\"30\"/>",
        "<line class=\"grid\" x1=\"155.31\" y1=\"4\" x2=\"155.31\" y2=\"30\"/>",
        "<line class=\"grid\" x1=\"266.11\" y1=\"4\" x2=\"266.11\" y2=\"30\"/>",
        "<text class=\"tick\" x=\"44.5\" y=\"49\" text-anchor=\"middle\">0</text>",
        "<text class=\"tick\" x=\"155.31\" y=\"49\" text-anchor=\"middle\">1</text>",
        "<text class=\"tick\" x=\"266.11\" y=\"49\" text-anchor=\"middle\">2</text>",
        "<text class=\"soft\" x=\"155.31\" y=\"69\" text-anchor=\"middle\">pawns</text>",
        "<text class=\"name\" x=\"34.5\" y=\"21.5\" text-anchor=\"end\">Rook</text>",
        "<g><title>Rook: 2.0</title>",
        "<rect class=\"bar c0\" x=\"44.5\" y=\"10\" width=\"221.61\" height=\"14\"/></g>",
        "<text class=\"value\" x=\"299\" y=\"21.5\" text-anchor=\"end\">2.0</text></svg>\n",
    );
    assert_eq!(drawn, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_numbers_and_any_text_make_a_whole_page(
        points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..12),
        label in "\\PC{0,40}|[<>&\"' \\x00-\\x1f歩]{0,12}",
    ) {
        let html = page(&points, &label, Lang::English).to_html();
        let text = read(&html, |_| {});
        // Whatever XML can hold comes back as it was.
        if !label.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) {
            prop_assert!(text.contains(&label));
        }
        prop_assert_eq!(&html, &page(&points, &label, Lang::English).to_html());
        let html = game_page(&label, CHANCES, Lang::Japanese);
        read(&html, |_| {});
        prop_assert_eq!(&html, &game_page(&label, CHANCES, Lang::Japanese));
    }

    #[test]
    fn ordinary_numbers_stay_inside(
        points in prop::collection::vec((-1e6..1e6f64, -1e6..1e6f64), 1..12),
    ) {
        for figure in figures(&points, "label") {
            assert_inside(&standalone_svg(&*figure, 350.0, Lang::English, "x"));
        }
    }
}
