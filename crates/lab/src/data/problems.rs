//! Problems whose answers are known.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use tesuji_shogi::{Move, Position};

/// How files of problems look, for the help of commands.
pub const PROBLEMS_HELP: &str = "The file is tab-separated. Its first line begins with # and names the columns: sfen, \
answer (one move in USI notation, or several with spaces or commas between them) and, if there is \
one, kind. Other columns are not read.";

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
        read_problem(&text.sfen, &text.answers.join(" "), &text.kind)
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

/// Reads a file of problems.
pub fn read(file: &Path) -> Result<Vec<Problem>> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| name.to_string())?;
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let header = lines.next().and_then(|(_, line)| line.strip_prefix('#')).unwrap_or_default();
    let columns: Vec<&str> = header.split('\t').map(str::trim).collect();
    let find = |column: &str| columns.iter().position(|&other| other == column);
    let (Some(sfen), Some(answer)) = (find("sfen"), find("answer")) else {
        bail!("{name}:1: expected a line that begins with # and names the columns sfen and answer");
    };
    let kind = find("kind");
    let problems: Vec<Problem> = lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let fields: Vec<&str> = line.split('\t').collect();
            let field = |column: usize| fields.get(column).copied().unwrap_or_default();
            read_problem(field(sfen), field(answer), kind.map_or("", field))
                .map_err(|why| anyhow!("{name}:{number}: {why}"))
        })
        .collect::<Result<_>>()?;
    ensure!(!problems.is_empty(), "{name}: no problems in the file");
    Ok(problems)
}

fn read_problem(sfen: &str, answer: &str, kind: &str) -> Result<Problem> {
    let position = Position::from_sfen(sfen.trim())?;
    let words = answer.split([' ', ',']).filter(|word| !word.is_empty());
    let answers: Vec<Move> = words
        .map(|word| {
            let mv =
                word.parse().map_err(|_| anyhow!("{word:?} is no move such as 7g7f or P*5e"))?;
            ensure!(position.is_legal(mv), "the answer {word} is not a legal move");
            Ok(mv)
        })
        .collect::<Result<_>>()?;
    ensure!(!answers.is_empty(), "the problem has no answer");
    let kind = if kind.trim().is_empty() { "problem" } else { kind.trim() };
    Ok(Problem { position, answers, kind: kind.to_owned() })
}
