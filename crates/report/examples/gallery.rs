//! Writes a page with every kind of figure, from made-up numbers, to look at:
//! `cargo run -p tesuji-report --example gallery -- gallery.html [en|ja]`.

use std::error::Error;

use tesuji_report::{
    Arrow, ArrowKind, Axis, Bar, BarChart, BoardFigure, Cell, Cloud, Column, ConfusionMatrix,
    KeyFigure, Lang, LineChart, Page, PieceStyle, RangePlot, RangeRow, Scatter, Series, SquareMap,
    Table, number,
};
use tesuji_shogi::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// A middle game with pieces in both hands.
const MIDDLE: &str =
    "ln1g3nl/1ks1g1r2/1pppppb1p/p5pp1/9/P1PPP1P1P/1P1S1P3/1BKG1S3/LN1G3RL b NPs 35";
/// A late middle game with promoted pieces and full hands.
const LATE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 72";

/// Numbers without order that are the same in every run.
struct Noise(u64);

impl Noise {
    /// A number between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "gallery.html".to_owned());
    let code = std::env::args().nth(2).unwrap_or_else(|| "en".to_owned());
    let lang = Lang::from_code(&code).ok_or("the language is en or ja")?;
    let mut page = Page::new("Gallery: an evolution that never was", lang);
    page.lead("Every number on this page is made up. It shows how pages, tables and figures look.");
    page.footer("tesuji-report, example gallery");
    overview(&mut page);
    curves(&mut page);
    pieces(&mut page);
    weights(&mut page);
    kinds(&mut page);
    boards(&mut page)?;
    page.section("Edges");
    page.paragraph(
        "Text with <b>markup</b> & \"quotes\" stays text, and charts without data say so.",
    );
    page.figure(&LineChart::new(Axis::new("generation"), Axis::new("correct")), "Nothing yet.");
    std::fs::write(path, page.to_html())?;
    Ok(())
}

fn overview(page: &mut Page) {
    page.section("In short");
    page.key_figures(&[
        KeyFigure::new("957", "correct of 5,000, best organism").note("thesis: 886"),
        KeyFigure::new(&number::percent(0.1914, 2), "of moves as the master")
            .note("thesis: 17.72 %"),
        KeyFigure::new("382,816", "resulting positions").note("76.6 a position"),
        KeyFigure::new(&number::duration(9.3), "for 200 generations").note("thesis: 1.5 h"),
    ]);
    page.paragraph("Ten runs of a genetic algorithm with 100 organisms over 200 generations. A position counts as correct when the move with the highest score is the move that the master played.");
    page.note("The training positions come from the winner's side, one a game.");
    page.warning(
        "4 of 5,000 rows hold an illegal move; they stay in the count and are never correct.",
    );
    page.code("tesuji evolve --positions cain_train.tsv --runs 10 --seed 1");
}

fn curves(page: &mut Page) {
    let mut noise = Noise(7);
    page.section("How it went");
    let curve = |end: f64, speed: f64, g: f64| 320.0 + (end - 320.0) * (1.0 - (-g / speed).exp());
    let mut chart = LineChart::new(
        Axis::new("generation").from(0.0),
        Axis::new("correct moves of 5,000").from(200.0),
    );
    for _ in 0..10 {
        let (end, speed) = (925.0 + 28.0 * noise.next(), 32.0 + 8.0 * noise.next());
        let points = (0..=200).map(|g| (f64::from(g), curve(end, speed, f64::from(g)).floor()));
        chart = chart.series(Series::new("a run", points.collect::<Vec<_>>()).thin().colour(0));
    }
    let each = |of: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        (0..=200).map(|g| (f64::from(g), of(f64::from(g)))).collect()
    };
    let best = Series::new("best, mean of ten runs", each(&|g| curve(925.0, 32.0, g))).band(
        (0..=200).map(|g| {
            let g = f64::from(g);
            (g, curve(897.0, 40.0, g), curve(953.0, 24.0, g))
        }),
    );
    let average = Series::new("population mean", each(&|g| curve(842.0, 38.0, g) - 40.0));
    let test =
        Series::new("best, on test positions", each(&|g| curve(901.0, 31.0, g) - 9.0)).dashed();
    chart = chart.series(best).series(average).series(test);
    chart = chart.reference(886.0, "thesis: 886");
    page.figure(&chart, "Fitness over the generations. Thin lines are single runs, the band goes from the worst to the best of them.");
    let sizes = [500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4];
    let learning = |a: f64, b: f64| sizes.map(|n: f64| (n, a - b / n.powf(0.4)));
    let held = Series::new("held out", learning(0.262, 1.6)).dots().band(sizes.map(|n| {
        (n, 0.262 - 1.6 / n.powf(0.4) - 0.9 / n.sqrt(), 0.262 - 1.6 / n.powf(0.4) + 0.9 / n.sqrt())
    }));
    let train = Series::new("training", learning(0.255, -1.1)).dots();
    let axes =
        (Axis::new("training positions").logarithmic(), Axis::new("moves predicted").percent());
    let chart = LineChart::new(axes.0, axes.1).series(train).series(held);
    page.figure(
        &chart,
        "The learning curve of a fitted set of features, with two standard errors.",
    );
}

const PIECES: [(&str, &str, f64, f64, f64); 7] = [
    ("Pawn", "on the board", 1.0, 1.0, 1.0),
    ("Lance", "on the board", 3.1, 3.40, 3.0),
    ("Knight", "on the board", 2.6, 2.09, 3.5),
    ("Silver", "on the board", 6.1, 6.75, 5.5),
    ("Gold", "on the board", 6.9, 7.87, 6.0),
    ("Bishop", "on the board", 6.6, 5.30, 8.0),
    ("Rook", "on the board", 9.2, 8.86, 10.0),
];

fn pieces(page: &mut Page) {
    let mut noise = Noise(3);
    page.section("What a piece is worth");
    let mut chart = BarChart::new("this run", Axis::new("value in pawns"), 2)
        .comparison("thesis")
        .comparison("common values");
    for (heading, factor) in [("On the board", 1.0), ("In hand", 1.35)] {
        chart = chart.heading(heading);
        for (name, _, ours, thesis, common) in PIECES {
            let (value, error) = (ours * factor, (ours * 0.09).min(0.7));
            chart = chart.bar(
                Bar::new(name, value)
                    .error(value - error, value + error)
                    .compared([Some(thesis * factor * 1.05), Some(common * factor.sqrt())]),
            );
        }
    }
    page.figure(
        &chart,
        "Values of pieces in pawns; whiskers are one standard deviation over ten runs.",
    );
    let mut spread = RangePlot::new("a run", Axis::new("weight"), 0).comparison("thesis");
    for (name, mean, thesis) in [
        ("PLAYER_KING_THREAT_PENALTY", 310.0, 228.0),
        ("BISHOP_MOBILITY", 88.0, 75.0),
        ("ROOK_MOBILITY", 47.0, 33.0),
        ("ENEMY_KING_ATTACKS", 122.0, 10.0),
    ] {
        let values: Vec<f64> = (0..10).map(|_| mean * (1.0 + 0.35 * noise.next())).collect();
        spread = spread.row(RangeRow::new(name, values).compared([Some(thesis)]));
    }
    page.figure(&spread, "The spread of four weights over ten runs; the stroke is the mean.");
    let mut ablation = BarChart::new("change", Axis::new("change in correct moves"), 1);
    for (name, change) in [
        ("material on the board", -402.0),
        ("pieces in hand", -131.5),
        ("king safety", -64.2),
        ("distances to kings", -21.8),
        ("rook placement", -6.1),
        ("castles", 2.4),
    ] {
        ablation = ablation.bar(Bar::new(name, change).error(change - 14.0, change + 14.0));
    }
    page.figure(&ablation, "What the best vector loses when a group of features is taken away.");
}

fn weights(page: &mut Page) {
    let mut noise = Noise(11);
    page.section("All weights");
    let mut table = Table::new([
        Column::text("feature"),
        Column::number("best"),
        Column::number("thesis"),
        Column::text("ten runs (diamond: thesis)"),
        Column::number("loss without it"),
    ]);
    table.caption("A few of 74. Scales are shared within a group.");
    let material = [
        ("LANCE_VALUE", 310.0, 340.0),
        ("KNIGHT_VALUE", 262.0, 209.0),
        ("ROOK_VALUE", 921.0, 886.0),
    ];
    let king = [
        ("PLAYER_KING_DEFENDERS", 27.0, 31.0),
        ("PLAYER_KING_ESCAPE_ROUTES", 41.0, 56.0),
        ("CASTLE_FORMATION", 36.0, 25.0),
    ];
    for (name, rows) in [("Material", material), ("King", king)] {
        table.heading(name);
        for (feature, best, thesis) in rows {
            let values: Vec<f64> = (0..10).map(|_| best * (1.0 + 0.2 * noise.next())).collect();
            let loss = best.sqrt() * (2.0 + noise.next()) - 9.0;
            table.row([
                Cell::text(feature),
                Cell::number(best, 0).strong(),
                Cell::number(thesis, 0),
                Cell::spread(values, 0).mark(thesis),
                Cell::signed(loss, 1).bar(loss),
            ]);
        }
    }
    page.table(&table);
    page.details("The same as Markdown", |page| {
        page.code(&tesuji_report::markdown::table(&table));
    });
    let mut noise = Noise(5);
    let mut two =
        Scatter::new(Axis::new("weight in the thesis"), Axis::new("weight here, mean of ten runs"));
    let (mut material, mut shape) = (Cloud::new("material"), Cloud::new("shape"));
    for (name, _, _, thesis, _) in PIECES {
        material = material.point(thesis * 100.0, thesis * (95.0 + 22.0 * noise.next()), name);
    }
    for _ in 0..40 {
        let weight = 150.0 + 150.0 * noise.next();
        shape = shape.point(weight, (weight + 70.0 * noise.next()).max(0.0), "");
    }
    two = two.cloud(material).cloud(shape).diagonal();
    page.figure(
        &two,
        "Weights here against weights in the thesis; on the dashed line they are equal.",
    );
}

fn kinds(page: &mut Page) {
    page.section("Moves, promotions, drops");
    let counts = [vec![2_874, 611, 241], vec![96, 231, 25], vec![640, 122, 160]];
    let matrix = ConfusionMatrix::new(&["normal", "promotion", "drop"], &counts)
        .titles("master", "chosen by the highest score");
    page.figure(&matrix, "How often each kind of move was played and chosen.");
}

fn boards(page: &mut Page) -> Result<(), Box<dyn Error>> {
    page.section("Instructive misses");
    let middle = Position::from_sfen(MIDDLE)?;
    let moves: Vec<Move> = ["4g4f", "3h3g", "N*4e", "5f5e"]
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let board = BoardFigure::new(&middle)
        .arrow(Arrow::new(moves[3], ArrowKind::Master, "the master: 5f5e"))
        .arrow(Arrow::new(moves[2], ArrowKind::Chosen, "chosen: N*4e"))
        .last_move(Some("6c6d".parse()?));
    let mut table = Table::new([Column::text("feature"), Column::number("difference")]);
    for (name, value) in
        [("ENEMY_KING_ATTACKS", 244.0), ("KNIGHT_IN_HAND_BONUS", -130.0), ("OUT_CAMP_ATTACK", 88.0)]
    {
        table.row([Cell::text(name), Cell::signed(value, 0).bar(value)]);
    }
    page.beside(
        |page| {
            page.figure(&board, "Game 312, move 35.");
        },
        |page| {
            page.subsection("The knight comes too early");
            page.paragraph("The drop attacks two squares beside the king, and that weighs more than the knight in hand. The master opens the centre first.");
            page.table(&table);
        },
    );
    let late = Position::from_sfen(LATE)?;
    let camp: Bitboard = Square::all().filter(|s| s.file() <= 3 && s.rank() >= 7).collect();
    let white = BoardFigure::new(&late)
        .highlight(camp)
        .seen_by(Color::White)
        .arrow(Arrow::new("G*2g".parse()?, ArrowKind::Master, "the master: G*2g"))
        .arrow(Arrow::new("6f3i".parse()?, ArrowKind::Other, "another: 6f3i"));
    let letters = BoardFigure::new(&late)
        .style(PieceStyle::Letters)
        .last_move(Some("5b4b+".parse()?))
        .arrow(Arrow::new("6f3i+".parse()?, ArrowKind::Master, "the master: 6f3i+"))
        .arrow(Arrow::new("6f3i".parse()?, ArrowKind::Chosen, "chosen: 6f3i, without promotion"));
    let start = BoardFigure::new(&Position::startpos()).arrow(Arrow::new(
        "7g7f".parse()?,
        ArrowKind::Other,
        "",
    ));
    let plain = BoardFigure::new(&late)
        .arrow(Arrow::new("6f3i+".parse()?, ArrowKind::Master, "成: ３九角成"))
        .arrow(Arrow::new("N*1g".parse()?, ArrowKind::Chosen, "打: １七桂"));
    page.gallery(|page| {
        page.figure(&white, "Seen by White, with marked squares.");
        page.figure(&letters, "In letters, with the last move; two arrows side by side.");
        page.figure(&plain, "In kanji.");
        page.figure(&start, "The initial position.");
        page.figure(&square_map(), "Numbers on squares; those of the upper ranks mean less.");
    });
    Ok(())
}

/// What a general might be worth near its king.
fn square_map() -> SquareMap {
    let mut noise = Noise(3);
    let Some(king) = Square::new(8, 8) else { return SquareMap::new([]) };
    let value = |square: Square| {
        let near = 60.0 - 22.0 * f64::from(square.distance(king));
        (square, near + 25.0 * noise.next())
    };
    SquareMap::new(Square::all().filter(|&square| square != king).map(value))
        .piece(king, Piece::new(Color::Black, PieceKind::King))
        .faint(Square::all().filter(|square| square.rank() <= 3).collect())
}
