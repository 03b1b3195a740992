//! The paper on plausible moves (Grimbergen, Matsubara 2000), repeated: how many of the masters'
//! moves generators keep, how many moves that saves, and what it wins, for the plain search of the
//! paper and for that of today.

mod games;
mod missed;
mod page;
mod search;
mod settings;

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use tesuji_run::plan as folder;
use tesuji_run::{Context, RunFolder};

use super::document::Document;
use super::{Reproduction, Work};
use crate::games::text::tally_json;
use crate::plausible::{Rates, by_generator};
use games::{Answer, LegalMoves, Question, Set, games_of};
use missed::AllMissed;
use search::{Played, Solved};
use settings::{BEST, MASSES, NEW, OLD};
pub use settings::{PlausibleReproduction, Sizes};

/// Both sets of merits: by hand, and fitted to games.
const MERITS: [&str; 2] = ["hand", "fitted"];

/// Everything that was found.
struct Findings {
    /// Legal moves in as many games as the paper has, and in all that are held out.
    legal: [LegalMoves; 2],
    answers: Vec<Answer>,
    missed: AllMissed,
    solved: Vec<Solved>,
    played: Vec<Played>,
}

/// Carries out the experiments, cheap ones first; each keeps what it found in `out`. The page as it
/// stands is written there before each of the long ones.
pub fn carry_out(
    plan: &PlausibleReproduction,
    out: &Path,
    pictures: Option<&str>,
    context: &Context<'_>,
) -> Result<Reproduction> {
    let out = &std::path::absolute(out)?;
    let top = folder::step(out, plan)?;
    let work = Work { plan, out, context };
    let mut findings = Findings {
        legal: [work.legal(Set::AsMany)?, work.legal(Set::HeldOut)?],
        answers: work.answers()?,
        missed: work.missed()?,
        solved: Vec::new(),
        played: Vec::new(),
    };
    for by in plan.problem_limits() {
        work.show(&top, &findings)?;
        for version in OLD.into_iter().chain(NEW) {
            findings.solved.push(work.solved(version, by)?);
        }
    }
    for (pairing, by, games) in plan.matches() {
        work.show(&top, &findings)?;
        findings.played.push(work.played(&pairing, by, games)?);
    }
    let numbers = findings.numbers();
    top.write_json("result.json", &numbers)?;
    let document = work.show(&top, &findings)?;
    Ok(Reproduction { page: document.markdown(pictures), pictures: document.pictures(), numbers })
}

impl Work<'_, PlausibleReproduction> {
    fn legal(&self, set: Set) -> Result<LegalMoves> {
        let name = match set {
            Set::AsMany => "legal-as-many",
            Set::HeldOut => "legal-held-out",
        };
        self.kept(name, || Ok(LegalMoves::new(&games_of(self.plan, set, self.context)?)))
    }

    /// What each cut keeps: in as many games as the paper has, then with each merits and with the
    /// model of moves in all that are held out.
    fn answers(&self) -> Result<Vec<Answer>> {
        let mut answers = self.asked("as-many", Set::AsMany, &as_in_the_paper())?;
        for merit in MERITS.into_iter().chain([Rates::MOVE]) {
            answers.extend(self.asked(merit, Set::HeldOut, &questions(merit))?);
        }
        Ok(answers)
    }

    fn asked(&self, name: &str, set: Set, questions: &[Question]) -> Result<Vec<Answer>> {
        self.kept(&format!("accuracy-{name}"), || {
            games::ask(questions, &games_of(self.plan, set, self.context)?, self.context)
        })
    }

    fn missed(&self) -> Result<AllMissed> {
        self.kept("missed", || {
            let games = games_of(self.plan, Set::HeldOut, self.context)?;
            missed::missed("fitted", &games, self.plan.sizes.boards, self.context)
        })
    }

    /// Writes what there is into the folder of the run.
    fn show(&self, top: &RunFolder, findings: &Findings) -> Result<Document> {
        const NAME: &str = "plausible";
        let document = page::document(self.plan, findings)?;
        top.write_report(&document.page().to_html())?;
        let page = document.markdown(Some(NAME));
        let pictures = document.pictures();
        let shown = Reproduction { page, pictures, numbers: Value::Null };
        shown.write(&self.out.join(NAME).with_extension("md"))?;
        Ok(document)
    }
}

fn question(set: Set, merit: &str, hierarchy: bool, cut: &str) -> Question {
    Question { set, merit: merit.to_owned(), hierarchy, cut: cut.to_owned() }
}

/// Table 1, with the merits of hand and with those that were fitted.
fn as_in_the_paper() -> Vec<Question> {
    let cuts = ["all", "merit"];
    let of = |merit| cuts.map(|cut| question(Set::AsMany, merit, true, cut));
    MERITS.into_iter().flat_map(of).collect()
}

/// All that is asked of the games that are held out.
fn questions(merit: &str) -> Vec<Question> {
    let ask = |hierarchy: bool, cut: &str| question(Set::HeldOut, merit, hierarchy, cut);
    let mut questions = Vec::new();
    if merit != Rates::MOVE {
        for hierarchy in [true, false] {
            questions.extend(["all", "merit"].map(|cut| ask(hierarchy, cut)));
        }
    }
    questions.extend(BEST.map(|count| ask(true, &format!("best:{count}"))));
    // Merits that were set by hand are no logarithms of odds.
    if merit != "hand" {
        questions.extend(MASSES.map(|share| ask(true, &format!("mass:{share}"))));
    }
    questions
}

impl Findings {
    /// The answer to a question of the games that are held out, or of as many as the paper has.
    fn answer(&self, set: Set, merit: &str, hierarchy: bool, cut: &str) -> Option<&Answer> {
        let wanted = question(set, merit, hierarchy, cut);
        self.answers.iter().find(|answer| answer.question == wanted)
    }

    fn numbers(&self) -> Value {
        let legal = self.legal.each_ref().map(|legal| {
            json!({
                "games": legal.games,
                "positions": legal.positions,
                "mean": legal.mean,
                "mean_late": legal.mean_late,
                "most": legal.most(),
            })
        });
        let played = self.played.iter().map(|played| {
            let mut shown = tally_json(&played.tally);
            shown["match"] = json!(played.name);
            shown["by"] = json!(played.by);
            shown["paper"] = json!(played.paper);
            shown["faults"] = json!(played.faults);
            shown
        });
        json!({
            "legal": legal,
            "answers": self.answers.iter().map(Answer::json).collect::<Vec<_>>(),
            "missed": self.missed,
            "problems": self.solved,
            "matches": played.collect::<Vec<_>>(),
        })
    }
}

impl Answer {
    fn json(&self) -> Value {
        let Self { question, games, kept, errors, rank_errors } = self;
        json!({
            "set": question.set,
            "merit": question.merit,
            "hierarchy": question.hierarchy,
            "cut": question.cut,
            "games": games,
            "positions": kept.positions,
            "missed": kept.missed(),
            "accuracy": kept.accuracy(),
            "accuracy_error": errors[0],
            "saved": kept.saved(),
            "saved_error": errors[1],
            "top": games::PLACES.map(|first| kept.within(first)),
            "top_errors": rank_errors,
            "by_generator": by_generator(kept),
        })
    }
}
