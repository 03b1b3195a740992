//! A document that is a page in Markdown and a page in HTML.

use tesuji_report::{Figure, Lang, Page, Table, markdown, standalone_svg};

/// The width for which pictures of pages in Markdown are drawn.
const WIDTH: f64 = 880.0;

/// A figure with a name for its file.
pub struct Picture {
    /// The name of the file, without its end.
    pub name: String,
    /// What it shows, in a sentence.
    pub caption: String,
    /// The figure.
    pub figure: Box<dyn Figure>,
}

enum Block {
    Section(String),
    /// Markdown of the simplest sort: words, code between backticks and emphasis between stars.
    Text(String),
    Table(Table),
    Picture(Picture),
    /// Pictures side by side.
    Gallery(Vec<Picture>),
}

/// A document under construction. Blocks stand in the order in which they are added.
pub struct Document {
    title: String,
    lead: String,
    blocks: Vec<Block>,
}

impl Document {
    /// A document with nothing but a title and a first paragraph.
    pub fn new(title: &str, lead: &str) -> Self {
        Self { title: title.into(), lead: lead.into(), blocks: Vec::new() }
    }

    /// A heading.
    pub fn section(&mut self, title: &str) -> &mut Self {
        self.add(Block::Section(title.into()))
    }

    /// A paragraph: words, code between backticks and emphasis between stars.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.add(Block::Text(text.into()))
    }

    /// A table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.add(Block::Table(table))
    }

    /// A picture.
    pub fn picture(&mut self, picture: Picture) -> &mut Self {
        self.add(Block::Picture(picture))
    }

    /// Pictures side by side.
    pub fn gallery(&mut self, pictures: Vec<Picture>) -> &mut Self {
        self.add(Block::Gallery(pictures))
    }

    fn add(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }

    /// The document in Markdown, whose pictures are in a folder; without one they are left out.
    pub fn markdown(&self, folder: Option<&str>) -> String {
        let image = |picture: &Picture| match folder {
            None => String::new(),
            Some(folder) => {
                let Picture { name, caption, .. } = picture;
                format!("![{caption}]({folder}/{name}.svg)\n")
            }
        };
        let mut text = format!("# {}\n\n{}\n", self.title, self.lead);
        for block in &self.blocks {
            let block = match block {
                Block::Section(title) => format!("## {title}\n"),
                Block::Text(words) => format!("{words}\n"),
                Block::Table(table) => markdown::table(table),
                Block::Picture(picture) => image(picture),
                Block::Gallery(pictures) => pictures.iter().map(image).collect(),
            };
            if !block.is_empty() {
                text += &format!("\n{block}");
            }
        }
        text
    }

    /// The files of the pictures: their names and what is in them.
    pub fn pictures(&self) -> Vec<(String, String)> {
        fn of_block(block: &Block) -> &[Picture] {
            match block {
                Block::Picture(picture) => std::slice::from_ref(picture),
                Block::Gallery(pictures) => pictures,
                _ => &[],
            }
        }
        let file = |picture: &Picture| {
            let svg = standalone_svg(&*picture.figure, WIDTH, Lang::English, &picture.caption);
            (format!("{}.svg", picture.name), svg)
        };
        self.blocks.iter().flat_map(of_block).map(file).collect()
    }

    /// The document in HTML.
    pub fn page(&self) -> Page {
        let plain = |text: &str| text.replace(['`', '*'], "");
        let mut page = Page::new(&self.title, Lang::English);
        page.lead(&plain(&self.lead));
        for block in &self.blocks {
            match block {
                Block::Section(title) => page.section(title),
                Block::Text(words) => page.paragraph(&plain(words)),
                Block::Table(table) => page.table(table),
                Block::Picture(picture) => page.figure(&*picture.figure, &picture.caption),
                Block::Gallery(pictures) => page.gallery(|page| {
                    for picture in pictures {
                        page.figure(&*picture.figure, &picture.caption);
                    }
                }),
            };
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use tesuji_report::{Axis, Cell, Column, LineChart, Series};

    use super::*;

    fn document() -> Document {
        let chart = LineChart::new(Axis::new("x"), Axis::new("y"))
            .series(Series::new("one", [(0.0, 1.0), (1.0, 2.0)]));
        let picture =
            Picture { name: "curve".into(), caption: "A curve.".into(), figure: Box::new(chart) };
        let mut table = Table::new([Column::text("a")]);
        table.row([Cell::text("b")]);
        let mut document = Document::new("Title", "Made by `tesuji`.");
        document.section("First").text("Words.").table(table).gallery(vec![picture]);
        document
    }

    #[test]
    fn both_pages_have_everything() {
        let document = document();
        assert_eq!(
            document.markdown(Some("there")),
            "# Title\n\nMade by `tesuji`.\n\n## First\n\nWords.\n\n| a   |\n|:----|\n| b   |\n\n\
             ![A curve.](there/curve.svg)\n"
        );
        assert!(!document.markdown(None).contains("curve"));
        let pictures = document.pictures();
        assert_eq!(pictures[0].0, "curve.svg");
        assert!(pictures[0].1.contains("</svg>"));
        let html = document.page().to_html();
        for part in ["Made by tesuji.", "First", "Words.", "<td>b</td>", "A curve.", "<svg"] {
            assert!(html.contains(part), "{part}");
        }
    }
}
