//! Pages: one HTML file with everything inside, which opens without a network.

mod table;

use crate::figure::{STYLE as FIGURE_STYLE, Shape};
use crate::markup::{escaped, push_escaped};
use crate::{Drawing, Figure, GameView, Lang, Table, game};

const STYLE: &str = include_str!("page.css");
/// The widths for which fluid figures are drawn.
const WIDE: f64 = 880.0;
const NARROW: f64 = 350.0;

/// A number that is worth being large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyFigure {
    value: String,
    caption: String,
    note: String,
}

impl KeyFigure {
    /// A number as text, and what it is.
    pub fn new(value: &str, caption: &str) -> Self {
        Self { value: value.to_owned(), caption: caption.to_owned(), note: String::new() }
    }

    /// Something small below it, such as what it is to be compared with.
    #[must_use]
    pub fn note(mut self, text: &str) -> Self {
        text.clone_into(&mut self.note);
        self
    }
}

/// A page under construction. Blocks stand in the order in which they are added. All text is given
/// plain; the page escapes it.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    lang: Lang,
    lead: String,
    footer: String,
    sections: Vec<(String, String)>,
    figures: usize,
    /// Is there a game to step through?
    has_game: bool,
    body: String,
}

impl Page {
    /// An empty page.
    pub fn new(title: &str, lang: Lang) -> Self {
        Self {
            title: title.to_owned(),
            lang,
            lead: String::new(),
            footer: String::new(),
            sections: Vec::new(),
            figures: 0,
            has_game: false,
            body: String::new(),
        }
    }

    /// The language of the page.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// A sentence or two below the title.
    pub fn lead(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.lead);
        self
    }

    /// A line at the end of the page, such as the program and the command.
    pub fn footer(&mut self, text: &str) -> &mut Self {
        text.clone_into(&mut self.footer);
        self
    }

    /// Begins a section, which gets a line in the table of contents.
    pub fn section(&mut self, title: &str) -> &mut Self {
        let anchor = self.free_anchor(title);
        self.body += &format!("<h2 id=\"{anchor}\">{}</h2>\n", escaped(title));
        self.sections.push((anchor, title.to_owned()));
        self
    }

    /// Begins a part of a section.
    pub fn subsection(&mut self, title: &str) -> &mut Self {
        self.element("h3", "", title)
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.element("p", "", text)
    }

    /// Adds a list.
    pub fn list(&mut self, items: &[&str]) -> &mut Self {
        self.body += "<ul>\n";
        for item in items {
            self.element("li", "", item);
        }
        self.body += "</ul>\n";
        self
    }

    /// Adds text as it is, in letters of one width: commands, files.
    pub fn code(&mut self, text: &str) -> &mut Self {
        self.body += &format!("<pre><code>{}</code></pre>\n", escaped(text));
        self
    }

    /// Adds something good to know.
    pub fn note(&mut self, text: &str) -> &mut Self {
        self.aside("note", self.lang.words().note, text)
    }

    /// Adds something that must not be overlooked.
    pub fn warning(&mut self, text: &str) -> &mut Self {
        self.aside("warning", self.lang.words().warning, text)
    }

    /// Adds large numbers, side by side.
    pub fn key_figures(&mut self, figures: &[KeyFigure]) -> &mut Self {
        self.body += "<dl class=\"key-figures\">\n";
        for figure in figures {
            self.body += "<div>";
            self.body += &format!("<dt>{}</dt>", escaped(&figure.caption));
            self.body += &format!("<dd class=\"value\">{}</dd>", escaped(&figure.value));
            if !figure.note.is_empty() {
                self.body += &format!("<dd class=\"beside\">{}</dd>", escaped(&figure.note));
            }
            self.body += "</div>\n";
        }
        self.body += "</dl>\n";
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) -> &mut Self {
        table::write(&mut self.body, table);
        self
    }

    /// Adds a figure with its caption. Figures are numbered.
    pub fn figure(&mut self, figure: &dyn Figure, caption: &str) -> &mut Self {
        self.figures += 1;
        let drawings = match figure.shape() {
            Shape::Fixed => figure.draw(WIDE, self.lang).to_element(caption, ""),
            Shape::Fluid => {
                let draw = |width| -> Drawing { figure.draw(width, self.lang) };
                draw(WIDE).to_element(caption, "wide") + &draw(NARROW).to_element(caption, "narrow")
            }
        };
        self.body += &format!(
            "<figure id=\"figure-{n}\">{drawings}<figcaption><b>{} {n}</b> {}</figcaption></figure>\n",
            self.lang.words().figure,
            escaped(caption),
            n = self.figures
        );
        self
    }

    /// Adds a game to step through: boards, of which one is shown, and the list of moves. A page
    /// has room for one.
    pub fn game(&mut self, view: &GameView) -> &mut Self {
        if !self.has_game {
            game::write(&mut self.body, view, self.lang);
            self.has_game = true;
        }
        self
    }

    /// Adds what `fill` adds, in as many columns as there is room for; good for boards.
    pub fn gallery(&mut self, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.wrapped("<div class=\"gallery\">", fill, "</div>")
    }

    /// Adds two parts side by side where there is room, else one below the other; good for a board
    /// and what is to be said about it.
    pub fn beside(
        &mut self,
        left: impl FnOnce(&mut Self),
        right: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.body += "<div class=\"beside-each-other\">\n";
        self.wrapped("<div>", left, "</div>").wrapped("<div>", right, "</div>");
        self.body += "</div>\n";
        self
    }

    /// Adds what `fill` adds behind a line that opens it.
    pub fn details(&mut self, summary: &str, fill: impl FnOnce(&mut Self)) -> &mut Self {
        let opening = format!("<details><summary>{}</summary>", escaped(summary));
        self.wrapped(&opening, fill, "</details>")
    }

    /// The page as HTML, which is well-formed XML too.
    pub fn to_html(&self) -> String {
        let (lang, title) = (self.lang.code(), escaped(&self.title));
        let (style, policy, script) = if self.has_game {
            let policy = format!(" script-src '{}';", game::SCRIPT_HASH);
            (game::STYLE, policy, format!("<script>{}</script>\n", game::SCRIPT))
        } else {
            ("", String::new(), String::new())
        };
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none';{policy} style-src 'unsafe-inline'; img-src data:\"/>\n\
             <link rel=\"icon\" href=\"data:,\"/>\n\
             <title>{title}</title>\n<style>\n{FIGURE_STYLE}{STYLE}{style}</style>\n</head>\n<body>\n\
             <header><h1>{title}</h1>\n"
        );
        if !self.lead.is_empty() {
            html += &format!("<p class=\"lead\">{}</p>\n", escaped(&self.lead));
        }
        html += "</header>\n";
        if self.sections.len() > 1 {
            html += &format!("<nav><b>{}</b>\n<ol>\n", self.lang.words().contents);
            for (anchor, title) in &self.sections {
                html += &format!("<li><a href=\"#{anchor}\">{}</a></li>\n", escaped(title));
            }
            html += "</ol></nav>\n";
        }
        html += &format!("<main>\n{}</main>\n", self.body);
        if !self.footer.is_empty() {
            html += &format!("<footer>{}</footer>\n", escaped(&self.footer));
        }
        html + &script + "</body>\n</html>\n"
    }

    fn element(&mut self, name: &str, class: &str, text: &str) -> &mut Self {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.body += &format!("<{name}{class}>{}</{name}>\n", escaped(text));
        self
    }

    fn aside(&mut self, class: &str, word: &str, text: &str) -> &mut Self {
        self.body += &format!("<p class=\"aside {class}\"><b>{word}</b> ");
        push_escaped(&mut self.body, text);
        self.body += "</p>\n";
        self
    }

    fn wrapped(&mut self, opening: &str, fill: impl FnOnce(&mut Self), closing: &str) -> &mut Self {
        self.body += opening;
        self.body.push('\n');
        fill(self);
        self.body += closing;
        self.body.push('\n');
        self
    }

    /// A name for a section that no other has: its letters and digits, joined by hyphens.
    fn free_anchor(&self, title: &str) -> String {
        let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut anchor = words.collect::<Vec<_>>().join("-").to_lowercase();
        if anchor.is_empty() || anchor.starts_with("figure-") {
            anchor.insert_str(0, "section-");
        }
        let taken = |name: &str| self.sections.iter().any(|(anchor, _)| anchor == name);
        if !taken(&anchor) {
            return anchor;
        }
        let mut number = 2;
        while taken(&format!("{anchor}-{number}")) {
            number += 1;
        }
        format!("{anchor}-{number}")
    }
}
