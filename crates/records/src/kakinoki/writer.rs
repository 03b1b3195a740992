//! The writer that KIF and KI2 share: headers, and lines in the order that the formats demand.

use std::time::Duration;

use tesuji_shogi::{EndReason, GameResult, Handicap, Position, Square};

use super::diagram::write_diagram;
use super::head::{Head, header_name};
use super::line::{Format, LineKind};
use super::results::{closing_alone, closing_below_word, closing_line, read_closing};
use crate::date;
use crate::phrase::phrase;
use crate::{Ending, GameRecord, Header, Line, MoveRecord, WriteError};

/// Where the writer is in the tree of moves.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub(crate) position: Position,
    /// The target of the move before.
    pub(crate) previous_to: Option<Square>,
    /// The number of the next move, from 1.
    pub(crate) ply: usize,
    /// Do more variations of the next move follow in the file?
    pub(crate) more_follow: bool,
    /// What the two players have used of their time.
    pub(crate) spent: [Duration; 2],
}

impl Cursor {
    /// Adds whole seconds to the clock of the player to move, as they are written, so that the
    /// table adds up; gives back the player's total.
    pub(crate) fn spend(&mut self, time: Duration) -> Duration {
        let total = &mut self.spent[self.position.side_to_move().index()];
        *total = total.saturating_add(Duration::from_secs(time.as_secs()));
        *total
    }
}

/// How one of the formats writes moves.
pub(crate) trait Style {
    /// The format.
    const FORMAT: Format;
    /// Its name.
    const NAME: &'static str;

    /// Writes what comes between the headers and the first move.
    fn open(&self, out: &mut String);

    /// Writes a move that is legal where the cursor is.
    fn write_move(&mut self, out: &mut String, cursor: &mut Cursor, record: &MoveRecord);

    /// Writes the word of an ending if the format has one for it, and gives back what the word
    /// tells.
    fn write_ending_word(
        &mut self,
        out: &mut String,
        cursor: &mut Cursor,
        ending: &Ending,
    ) -> Option<GameResult>;

    /// Ends a line of several moves, if one is open.
    fn break_line(&mut self, out: &mut String);
}

/// Writes a record.
pub(crate) fn write<S: Style>(record: &GameRecord, style: S) -> Result<String, WriteError> {
    let handicap =
        Handicap::of_position(&record.start).is_some_and(|found| found != Handicap::Even);
    let mut writer = Writer { out: String::new(), style, handicap };
    writer.head(record)?;
    writer.style.open(&mut writer.out);
    writer.comments(&record.comments);
    let cursor = Cursor {
        position: record.start,
        previous_to: None,
        ply: 1,
        more_follow: false,
        spent: [Duration::ZERO; 2],
    };
    writer.line(&record.main, cursor, true)?;
    Ok(writer.out)
}

struct Writer<S> {
    out: String,
    style: S,
    /// Are the players called 下手 and 上手?
    handicap: bool,
}

impl<S: Style> Writer<S> {
    fn unsupported<T>(what: String) -> Result<T, WriteError> {
        Err(WriteError::Unsupported { format: S::NAME, what })
    }

    fn text_line(&mut self, text: &str) {
        self.style.break_line(&mut self.out);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn head(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        let handicap = Handicap::of_position(&record.start)
            .filter(|handicap| handicap.position() == record.start);
        let name = handicap.map_or("その他", Handicap::japanese);
        self.text_line(&format!("手合割：{name}"));
        for header in &record.headers {
            let dated = match header.key.as_str() {
                Header::STARTED | Header::ENDED => date::normal(&header.value),
                _ => None,
            };
            let header = &dated
                .map_or_else(|| header.clone(), |value| Header { key: header.key.clone(), value });
            let line = format!("{}：{}", header_name(&header.key, self.handicap), header.value);
            if !reads_back(&line, header, S::FORMAT) {
                return Self::unsupported(format!("the header {:?}", header.key));
            }
            self.text_line(line.trim_end());
        }
        if handicap.is_none() {
            self.out.push_str(&write_diagram(&record.start));
        }
        Ok(())
    }

    /// Comments, one line each; a bookmark is a comment that starts with `&`.
    fn comments(&mut self, comments: &[String]) {
        for line in comments.iter().flat_map(|comment| comment.split(['\n', '\r'])) {
            let line = if line.starts_with('&') { line.into() } else { format!("*{line}") };
            self.text_line(&line);
        }
    }

    /// A line, its ending, and then the variations, those of the last moves first.
    fn line(&mut self, line: &Line, mut cursor: Cursor, main: bool) -> Result<(), WriteError> {
        let mut branches: Vec<(Cursor, &[Line])> = Vec::new();
        for record in &line.moves {
            if !record.variations.is_empty() {
                branches.push((cursor, &record.variations));
                cursor.more_follow = true;
            }
            let Some(next) = cursor.position.after(record.mv) else {
                return Self::unsupported(format!(
                    "the illegal move {} at ply {}",
                    record.mv, cursor.ply
                ));
            };
            self.style.write_move(&mut self.out, &mut cursor, record);
            self.comments(&record.comments);
            cursor.position = next;
            cursor.previous_to = Some(record.mv.to());
            cursor.ply += 1;
            cursor.more_follow = false;
        }
        if let Some(ending) = &line.ending {
            if !ending.variations.is_empty() {
                branches.push((cursor, &ending.variations));
                cursor.more_follow = true;
            }
            self.ending(ending, &mut cursor, main, !line.moves.is_empty() || !main);
        }
        self.style.break_line(&mut self.out);
        for (cursor, variations) in branches.into_iter().rev() {
            self.variations(variations, cursor)?;
        }
        Ok(())
    }

    /// How a line ends. What the words of the format leave out of the reason is said in a comment,
    /// unless nothing stands before the end that a comment could belong to.
    fn ending(&mut self, ending: &Ending, cursor: &mut Cursor, main: bool, anything: bool) {
        let us = cursor.position.side_to_move();
        let (result, plies) = (ending.result, cursor.ply - 1);
        let word = self.style.write_ending_word(&mut self.out, cursor, ending);
        if word.is_some() {
            self.say(phrase(result, word));
            self.comments(&ending.comments);
            // Only the game itself has a closing line, unless nothing else tells how a line ended.
            if main && let Some(closing) = closing_below_word(result, plies, us, self.handicap) {
                self.text_line(&closing);
            }
            return;
        }
        let alone = closing_alone(result, plies, us, self.handicap)
            .filter(|_| anything && S::FORMAT == Format::Ki2);
        if let Some(closing) = alone {
            let told = read_closing(&closing, &cursor.position, EndReason::Resignation);
            self.say(phrase(result, told));
            self.text_line(&closing);
        } else if let Some(closing) = closing_line(result, plies, us, self.handicap) {
            self.text_line(&closing);
        }
        self.comments(&ending.comments);
    }

    fn say(&mut self, comment: Option<&str>) {
        if let Some(comment) = comment {
            self.text_line(&format!("*{comment}"));
        }
    }

    fn variations(&mut self, variations: &[Line], mut cursor: Cursor) -> Result<(), WriteError> {
        let outer = cursor.more_follow;
        for (index, variation) in variations.iter().enumerate() {
            // A variation that says nothing would be taken for a broken file.
            if variation.moves.is_empty() && variation.ending.is_none() {
                continue;
            }
            self.text_line(&format!("\n変化：{}手", cursor.ply));
            cursor.more_follow = outer || index + 1 < variations.len();
            self.line(variation, cursor, false)?;
        }
        Ok(())
    }
}

/// Does this line come back as the header that it was made from?
fn reads_back(line: &str, header: &Header, format: Format) -> bool {
    let mut head = Head::default();
    !line.contains(['\n', '\r'])
        && matches!(LineKind::of(line, format), LineKind::Other(_))
        && head.take(1, line).is_ok()
        && match &head.headers[..] {
            [read] => read.key == header.key && read.value == header.value.trim(),
            // An empty value is not worth a header.
            [] => header.value.trim().is_empty() && head.says_nothing(),
            _ => false,
        }
}
