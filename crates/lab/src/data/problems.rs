//! Problems whose answers are known.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use tesuji_records::sample::table::{Row, SFEN, Table};
use tesuji_shogi::{Move, Position};

/// How files of problems look, for the help of commands.
pub const PROBLEMS_HELP: &str = "The file is tab-separated. Its first line begins with # and names \
the columns: sfen, answer (one move in USI notation, or several with spaces or commas between \
them) and, if there is one, kind. Other columns are not read.";

/// A position and the moves that are right.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "ProblemText", try_from = "ProblemText")]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// The moves that are right.
    pub answers: Vec<Move>,
    /// What sort of problem it is.
    pub kind: String,
}

/// A problem as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProblemText {
    sfen: String,
    answers: Vec<String>,
    kind: String,
}

impl From<Problem> for ProblemText {
    fn from(Problem { position, answers, kind }: Problem) -> Self {
        let answers = answers.iter().map(Move::to_string).collect();
        Self { sfen: position.to_sfen(), answers, kind }
    }
}

impl TryFrom<ProblemText> for Problem {
    type Error = anyhow::Error;

    fn try_from(text: ProblemText) -> Result<Self> {
        let position = Position::from_sfen(&text.sfen)?;
        let answers = read_answers(&position, &text.answers.join(" "))?;
        Ok(Self { position, answers, kind: text.kind })
    }
}

impl Problem {
    /// Is this one of the answers?
    pub fn is_right(&self, mv: Option<Move>) -> bool {
        mv.is_some_and(|mv| self.answers.contains(&mv))
    }

    /// The problem with left and right exchanged.
    pub fn mirrored(&self) -> Self {
        Self {
            position: self.position.mirrored(),
            answers: self.answers.iter().map(|mv| mv.mirrored()).collect(),
            kind: self.kind.clone(),
        }
    }
}

/// The column of the right moves.
const ANSWER: &str = "answer";

/// Reads a file of problems.
pub fn read(file: &Path) -> Result<Vec<Problem>> {
    let name = file.display();
    let bytes = File::open(file).with_context(|| name.to_string())?;
    let mut table = Table::new(BufReader::new(bytes), "");
    let mut problems = Vec::new();
    while let Some(row) = table.next_row() {
        let row = row.with_context(|| name.to_string())?;
        let line = row.line;
        problems.push(read_problem(&row).map_err(|why| anyhow!("{name}:{line}: {why}")));
    }
    ensure!(
        table.has(SFEN) && table.has(ANSWER),
        "{name}:1: expected a line that begins with # and names the columns sfen and answer"
    );
    let problems: Vec<Problem> = problems.into_iter().collect::<Result<_>>()?;
    ensure!(!problems.is_empty(), "{name}: no problems in the file");
    Ok(problems)
}

fn read_problem(row: &Row<'_>) -> Result<Problem> {
    let position = row.position()?;
    let answers = read_answers(&position, row.field(&[ANSWER]).unwrap_or_default())?;
    let kind = row.field(&["kind"]).unwrap_or("problem").to_owned();
    Ok(Problem { position, answers, kind })
}

/// Moves with spaces or commas between them, all of them legal.
fn read_answers(position: &Position, words: &str) -> Result<Vec<Move>> {
    let answers: Vec<Move> = words
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| {
            let mv =
                word.parse().map_err(|_| anyhow!("{word:?} is no move such as 7g7f or P*5e"))?;
            ensure!(position.is_legal(mv), "the answer {word} is not a legal move");
            Ok(mv)
        })
        .collect::<Result<_>>()?;
    ensure!(!answers.is_empty(), "the problem has no answer");
    Ok(answers)
}
