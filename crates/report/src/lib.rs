//! What was found, as something a person wants to read: pages that open without a network, tables,
//! figures and boards.
//!
//! The crate computes nothing. It is given numbers and positions and shows them; the same input
//! gives the same bytes. It reads no clock, no files and no network.
//!
//! ```
//! use tesuji_report::{Axis, Cell, Column, Lang, LineChart, Page, Series, Table};
//!
//! let mut page = Page::new("A small run", Lang::English);
//! page.section("How it went");
//! let curve = Series::new("best", [(0.0, 310.0), (1.0, 402.0), (2.0, 455.0)]);
//! let chart = LineChart::new(Axis::new("generation"), Axis::new("correct moves")).series(curve);
//! page.figure(&chart, "The best organism of each generation.");
//! let mut table = Table::new([Column::text("kind"), Column::number("correct")]);
//! table.row([Cell::text("drops"), Cell::count(8)]);
//! page.table(&table);
//! assert!(page.to_html().contains("<svg"));
//! ```

mod figure;
mod game;
mod lang;
pub mod markdown;
mod markup;
pub mod number;
mod page;
mod svg;
mod table;

pub use figure::axis::Axis;
pub use figure::bars::{Bar, BarChart};
pub use figure::board::{Arrow, ArrowKind, BoardFigure, PieceStyle, SquareMap};
pub use figure::confusion::ConfusionMatrix;
pub use figure::line::{LineChart, Series};
pub use figure::ranges::{RangePlot, RangeRow};
pub use figure::row_chart::RowChart;
pub use figure::scatter::{Cloud, Scatter};
pub use figure::{Figure, Shape, standalone_svg};
pub use game::{ChanceGraph, GamePly, GameView, Mark};
pub use lang::Lang;
pub use page::{KeyFigure, Page};
pub use svg::Drawing;
pub use table::{Cell, Column, Table};
