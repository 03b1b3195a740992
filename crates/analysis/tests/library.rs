//! Games judged and positions explained through the public interface, as a page or a worker would.

use std::ops::ControlFlow;
use std::sync::Mutex;

use serde_json::{Value, json};
use tesuji_analysis::judge::{GameAnalysis, SearchLimits, SearchPositions, TextLayout};
use tesuji_analysis::reasons::{Explainer, ReasonGroup};
use tesuji_analysis::{
    AnalysisSettings, ExplainSettings, SavedGame, Subject, explain, judge, judge_in,
};
use tesuji_records::{GameRecord, MoveRecord, usi};
use tesuji_report::{Lang, Mark};
use tesuji_run::jobs::Executor;
use tesuji_run::{Context, Manifest, Observer, Progress, RunFolder, RunTime, Silent};
use tesuji_search::spec::Evaluation;
use tesuji_shogi::{Move, Position};

/// Black takes a pawn that a bishop protects, and loses the rook.
const HANGS_A_ROOK: &str = "startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d 2c2d 2h2d 3c2d";

fn settings() -> AnalysisSettings {
    let (start, moves) = usi::parse_game(HANGS_A_ROOK).unwrap();
    let mut record = GameRecord::new(start);
    record.main.moves = moves.into_iter().map(MoveRecord::from).collect();
    let settings = AnalysisSettings::new(SavedGame::new("a game", 1, &record)).unwrap();
    let limits = SearchLimits { nodes: Some(2_000), ms: None, depth: None };
    AnalysisSettings { limits, ..settings.between(5, None).unwrap() }
}

fn on_threads(threads: usize) -> Context<'static> {
    Context { threads, observer: &Silent }
}

#[test]
fn a_game_is_judged() {
    let analysis = judge(&settings(), on_threads(1)).unwrap();
    let moves = &analysis.judgement.moves;
    assert_eq!(moves.iter().map(|mv| mv.number).collect::<Vec<_>>(), [5, 6, 7, 8]);
    let blunder = &moves[2];
    assert_eq!((blunder.mv.to_string().as_str(), blunder.mark()), ("2h2d", Some(Mark::Blunder)));
    let reasons = blunder.reasons.as_ref().unwrap();
    assert_eq!(reasons.said[0].group, ReasonGroup::Material);
    let text = reasons.said[0].text(Lang::English);
    assert!(text.contains("takes the rook on 2d (3c2d"), "{text}");
    let text = reasons.said[0].text(Lang::Japanese);
    assert!(text.contains("２四の飛を取る（☖同角"), "{text}");
    // What is said and unsaid is the change of the score.
    let said: i32 = reasons.said.iter().map(|reason| reason.centipawns).sum();
    assert_eq!(said + reasons.unsaid, blunder.played_score - blunder.best_score);
    assert!(moves[3].is_best(), "taking it is");
    let layout = TextLayout { kanji: true, lang: Lang::English };
    assert!(analysis.text(layout).contains("☗同飛"));
    assert!(analysis.page("made by a test").to_html().contains("made by a test"));
}

#[test]
fn tables_of_two_phases_give_reasons_too() {
    let explainer = Explainer::new(&Evaluation::load("phase").unwrap());
    let moves = HANGS_A_ROOK.split_ascii_whitespace().skip(2).map(|mv| mv.parse().unwrap());
    let moves: Vec<Move> = moves.collect();
    let play = |position: Position, mv: &Move| position.after_unchecked(*mv);
    let position = moves[..6].iter().fold(Position::startpos(), play);
    let quiet = ["7g7f".parse().unwrap()];
    let reasons = explainer.contrast(&position, None, [&quiet, &moves[6..]], [0, -1_000]);
    assert_eq!(reasons.said[0].group, ReasonGroup::Material);
    assert!(reasons.said[0].centipawns < -500, "{reasons:?}");
    let end = moves.iter().fold(Position::startpos(), play);
    assert!(explainer.balance(&end, None).score < -500);
}

#[test]
fn the_result_is_a_value_whatever_the_number_of_threads() {
    let settings = settings();
    let first = serde_json::to_value(judge(&settings, on_threads(1)).unwrap()).unwrap();
    let second = serde_json::to_value(judge(&settings, on_threads(3)).unwrap()).unwrap();
    assert_eq!(first, second);
    assert_eq!(first["format"], "tesuji-analysis");
    assert_eq!(first["moves"][2]["class"], "blunder");
}

/// What other machines would do: they are given the task and the number of a position as text, and
/// give a search back as text.
#[test]
fn positions_can_be_searched_elsewhere() {
    let task = SearchPositions { settings: settings() };
    let elsewhere = |missing: usize| {
        GameAnalysis::by_rounds(&settings(), |jobs| {
            let mut searches = Vec::new();
            Executor::as_text(2).run(&task, &jobs[missing..], |new| {
                searches.extend(new);
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(searches)
        })
    };
    let here = judge(&settings(), on_threads(1)).unwrap();
    assert_eq!(elsewhere(0).unwrap().to_json(), here.to_json());
    assert!(elsewhere(1).is_err(), "one is missing");
}

/// Keeps what it is told.
#[derive(Default)]
struct Listener(Mutex<Vec<(u64, String)>>);

impl Observer for Listener {
    fn begin(&self, total: u64, unit: &str) -> Box<dyn Progress + '_> {
        self.note(&format!("{total} {unit}"));
        Box::new(Told(self))
    }

    fn note(&self, line: &str) {
        self.0.lock().unwrap().push((0, line.to_owned()));
    }
}

struct Told<'a>(&'a Listener);

impl Progress for Told<'_> {
    fn update(&mut self, done: u64, message: &dyn Fn() -> String) {
        self.0.0.lock().unwrap().push((done, message()));
    }

    fn note(&self, line: &str) {
        self.0.note(line);
    }
}

#[test]
fn a_run_folder_keeps_what_was_searched() {
    let base = tempfile::tempdir().unwrap();
    let manifest = Manifest::new("analyse", "abc123", RunTime::from_unix(0));
    let run_folder = RunFolder::create(base.path(), manifest).unwrap();
    let listener = Listener::default();
    let context = Context { threads: 1, observer: &listener };
    let first = judge_in(&run_folder, &settings(), context).unwrap();
    let told = listener.0.into_inner().unwrap();
    assert_eq!(told[0], (0, "5 positions".to_owned()));
    assert!(told.contains(&(5, "move 8 of 8".to_owned())), "{told:?}");
    // Nothing is searched again.
    let listener = Listener::default();
    let context = Context { threads: 1, observer: &listener };
    let second = judge_in(&run_folder, &settings(), context).unwrap();
    let told = listener.0.into_inner().unwrap();
    assert!(told.iter().all(|(done, _)| *done == 0), "{told:?}");
    assert_eq!(first.to_json(), second.to_json());
    let page = second.write(&run_folder).unwrap();
    assert!(page.is_file());
    let result: Value = run_folder.read_json("result.json").unwrap().unwrap();
    assert_eq!(result, Value::Object(first.to_json()));
    // The journal of one part of a game is not that of another.
    let other = settings().between(3, Some(4)).unwrap();
    assert!(judge_in(&run_folder, &other, on_threads(1)).is_err());
}

#[test]
fn moves_that_the_game_does_not_have_are_refused() {
    for (first, last) in [(0, None), (9, None), (1, Some(9)), (5, Some(4))] {
        assert!(settings().between(first, last).is_err(), "{first} to {last:?}");
        let last = last.unwrap_or(8);
        let received = AnalysisSettings { first, last, ..settings() };
        assert!(judge(&received, on_threads(1)).is_err(), "{first} to {last:?}");
    }
}

#[test]
fn a_position_and_a_move_are_explained() {
    let words = [HANGS_A_ROOK.to_owned()];
    let settings = ExplainSettings { mv: Some("8h2b+".to_owned()), ..ExplainSettings::default() };
    let explained = explain(Subject::parse(&words).unwrap(), &settings);
    assert!(explained.unwrap_err().to_string().contains("not a legal move"));
    let settings = ExplainSettings { mv: Some("７六歩".to_owned()), ..settings };
    let explained = explain(Subject::parse(&words).unwrap(), &settings).unwrap();
    let value = serde_json::to_value(&explained).unwrap();
    assert_eq!(
        (&value["format"], &value["move"]["move"]),
        (&json!("tesuji-explain"), &json!("7g7f"))
    );
    assert!(explained.text(&Default::default()).contains("7g7f in Black's view"));
}
