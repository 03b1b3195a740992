//! Tables, for pages and for Markdown alike.

use crate::number;

/// A column: its title and how its cells stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub(crate) title: String,
    pub(crate) is_number: bool,
}

impl Column {
    /// A column of words, which begin at the left.
    pub fn text(title: &str) -> Self {
        Self { title: title.to_owned(), is_number: false }
    }

    /// A column of numbers, which end at the right.
    pub fn number(title: &str) -> Self {
        Self { title: title.to_owned(), is_number: true }
    }
}

/// A cell: a text, and what is drawn beside it.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    pub(crate) text: String,
    pub(crate) picture: Picture,
    pub(crate) strong: bool,
    /// A few words below the text, smaller; left out where there is no room for them.
    pub(crate) note: String,
}

/// What is drawn in a cell. Pictures of one column share a scale.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Picture {
    None,
    /// A bar from zero to a value.
    Bar(f64),
    /// Several values and one that they are compared with.
    Spread {
        values: Vec<f64>,
        mark: Option<f64>,
    },
}

impl Cell {
    /// Words.
    pub fn text(text: &str) -> Self {
        Self::from(text.to_owned())
    }

    /// Nothing.
    pub fn empty() -> Self {
        Self::text("")
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self::text(&number::count(value))
    }

    /// A number with this many decimals.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self::text(&number::fixed(value, decimals))
    }

    /// A difference, with its sign.
    pub fn signed(value: f64, decimals: usize) -> Self {
        Self::text(&number::signed(value, decimals))
    }

    /// A share of one as a percentage.
    pub fn percent(share: f64, decimals: usize) -> Self {
        Self::text(&number::percent(share, decimals))
    }

    /// A mean and what to add and subtract: `12.3 ± 0.4`.
    pub fn plus_minus(mean: f64, error: f64, decimals: usize) -> Self {
        let (mean, error) = (number::fixed(mean, decimals), number::fixed(error, decimals));
        Self::text(&format!("{mean} ± {error}"))
    }

    /// The values of several runs, drawn as dots; in text, the least and the greatest.
    pub fn spread(values: impl IntoIterator<Item = f64>, decimals: usize) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let text = match crate::figure::extent(values.iter().copied()) {
            None => String::new(),
            Some((low, high)) if low == high => number::fixed(low, decimals),
            Some((low, high)) => {
                format!("{} – {}", number::fixed(low, decimals), number::fixed(high, decimals))
            }
        };
        Self { picture: Picture::Spread { values, mark: None }, ..Self::from(text) }
    }

    /// Marks a value to compare a spread with.
    #[must_use]
    pub fn mark(mut self, value: f64) -> Self {
        if let Picture::Spread { mark, .. } = &mut self.picture {
            *mark = Some(value).filter(|value| value.is_finite());
        }
        self
    }

    /// Draws a bar of this length beside the text.
    #[must_use]
    pub fn bar(mut self, value: f64) -> Self {
        self.picture = if value.is_finite() { Picture::Bar(value) } else { Picture::None };
        self
    }

    /// Adds a few words below, in small letters. Only pages show them.
    #[must_use]
    pub fn note(mut self, text: &str) -> Self {
        self.note = text.to_owned();
        self
    }

    /// Makes it stand out.
    #[must_use]
    pub const fn strong(mut self) -> Self {
        self.strong = true;
        self
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, picture: Picture::None, strong: false, note: String::new() }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Row {
    Heading(String),
    Cells(Vec<Cell>),
}

/// A table.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    pub(crate) caption: String,
}

impl Table {
    /// A table with these columns and no rows yet.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        let columns = columns.into_iter().collect();
        Self { columns, rows: Vec::new(), caption: String::new() }
    }

    /// Says what the table shows.
    pub fn caption(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.caption);
        self
    }

    /// Adds a row. Missing cells are empty; cells beyond the last column are left out.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Self {
        let cells = cells.into_iter().chain(std::iter::repeat_with(Cell::empty));
        self.rows.push(Row::Cells(cells.take(self.columns.len()).collect()));
        self
    }

    /// Adds a heading above the rows that follow. Pictures begin a new scale below it.
    pub fn heading(&mut self, text: &str) -> &mut Self {
        self.rows.push(Row::Heading(text.to_owned()));
        self
    }
}
