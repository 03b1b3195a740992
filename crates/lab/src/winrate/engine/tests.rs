//! Scores by an engine of this program and by shell scripts that speak a little USI.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tesuji_run::{Progress, RunError, Silent, plan};

use super::*;

/// Four games: won, bad, without a result, drawn. All words are moves of the opening.
const GAMES: &str = "#result\tgame\n\
    b\tstartpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b\n\
    b\tstartpos moves 7g7f 7g7f\n\
    ?\tstartpos moves 7g7f 3c3d\n\
    d\tstartpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d\n";

/// A run in a folder of its own.
struct Run {
    folder: tempfile::TempDir,
    plan: EngineScores,
}

impl Run {
    fn new(engine: &str, games: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.tsv");
        fs::write(&path, games).unwrap();
        let plan = EngineScores {
            games: vec![path],
            engine: engine.parse().unwrap(),
            limit: TimeControl { depth: Some(1), ..TimeControl::default() },
            per_game: None,
            seed: 7,
        };
        Self { folder, plan }
    }

    /// Many games, so that threads are far apart.
    fn of_many_games() -> Self {
        let games: String = GAMES.lines().skip(1).map(|line| format!("{line}\n")).collect();
        Self::new("tesuji:eval=material,hash=1", &format!("#result\tgame\n{}", games.repeat(15)))
    }

    /// A script that speaks USI: `go` is what it does when it is asked.
    fn of_script(go: &str) -> Self {
        let mut run = Self::new("tesuji", GAMES);
        let script = run.folder.path().join("engine.sh");
        let text = format!(
            "while read word rest; do case $word in\n\
             usi) echo usiok;;\nisready) echo readyok;;\ngo) {go};;\nquit) exit;;\nesac; done\n"
        );
        fs::write(&script, text).unwrap();
        run.plan.engine =
            format!("cmd:/bin/sh,arg={},name=script", script.display()).parse().unwrap();
        run
    }

    /// The folder. A test that starts an engine beside this one holds all locks of the process for
    /// the moment in which it does.
    fn open(&self) -> RunFolder {
        loop {
            match plan::step(&self.folder.path().join("run"), &self.plan) {
                Err(error) if matches!(error.downcast_ref(), Some(RunError::Locked(_))) => {
                    thread::sleep(Duration::from_millis(5));
                }
                folder => return folder.unwrap(),
            }
        }
    }

    fn carry_out(&self, threads: usize) -> Result<Scored> {
        carry_out(&self.plan, &self.open(), &Context { threads, observer: &Silent })
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("run/journal.jsonl")
    }

    fn bytes(&self) -> String {
        fs::read_to_string(self.journal()).unwrap()
    }

    fn lines(&self) -> Vec<GameScores> {
        self.bytes().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn plies(line: &GameScores) -> Vec<usize> {
    line.scores.iter().map(|&(ply, _)| ply).collect()
}

#[test]
fn threads_and_kills_do_not_change_the_journal() {
    let one = Run::of_many_games();
    let scored = one.carry_out(1).unwrap();
    assert_eq!((scored.games, scored.positions, scored.next), (45, 15 * 19, 60));
    let whole = one.bytes();
    for (threads, keep) in [(2, 0), (2, 1), (1, 700), (3, 1500)] {
        let other = Run::of_many_games();
        drop(other.open());
        // A kill leaves a line cut short.
        fs::write(other.journal(), &whole[..keep]).unwrap();
        assert_eq!(other.carry_out(threads).unwrap(), scored);
        assert_eq!(other.bytes(), whole, "{threads} threads, killed after {keep} bytes");
    }
    assert_eq!(one.carry_out(2).unwrap(), scored, "there is nothing left to do");
    assert_eq!(one.bytes(), whole);
}

#[test]
fn scores_are_in_the_view_of_black() {
    // White has no rook.
    let start = "sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let games = format!("{GAMES}w\t{start} moves 7g7f 3c3d 2g2f\n");
    let run = Run::new("tesuji:eval=material", &games);
    run.carry_out(1).unwrap();
    let lines = run.lines();
    let numbers: Vec<u64> = lines.iter().map(|line| line.game).collect();
    assert_eq!(numbers, [0, 2, 3, 4], "the bad game has no line");
    assert!(plies(&lines[0]).into_iter().eq(0..10));
    assert_eq!(lines[1].scores, [], "the game without a result has an empty one");
    assert!(plies(&lines[2]).into_iter().eq(0..9), "a drawn game has a result");
    assert!(lines[3].scores.iter().all(|&(_, score)| score > 500), "{:?}", lines[3]);
}

#[test]
fn some_positions_of_each_game() {
    let mut run = Run::of_many_games();
    run.plan.per_game = Some(3);
    run.carry_out(2).unwrap();
    let lines = run.lines();
    let mut seen = [0; 10];
    for line in lines.iter().filter(|line| line.game % 4 == 0) {
        let plies = plies(line);
        assert!(plies.len() == 3 && plies.is_sorted_by(|a, b| a < b), "{plies:?}");
        plies.iter().for_each(|&ply| seen[ply] += 1);
    }
    assert!(seen.iter().all(|&count| count > 0), "every position has its chance: {seen:?}");
    run.plan.per_game = Some(100);
    let all = Run { plan: run.plan, folder: tempfile::tempdir().unwrap() };
    assert_eq!(all.carry_out(1).unwrap().positions, 15 * 19, "a game has no more than it has");
}

#[test]
fn scores_are_read_along_with_the_games() {
    let run = Run::new("tesuji:eval=material", GAMES);
    run.carry_out(1).unwrap();
    let (folder, lines) = (run.open(), run.bytes());
    let mut scores = Scores::open(&folder).unwrap();
    assert_eq!(scores.of(0).unwrap().len(), 10);
    assert_eq!(scores.of(3).unwrap().len(), 9, "games may be passed over");
    let error = scores.of(4).unwrap_err().to_string();
    assert!(error.ends_with("run: the journal has no game 5"), "{error}");
    assert!(Scores::open(&folder).unwrap().of(1).is_err(), "a bad game has none");
    assert!(lines.starts_with(r#"{"game":0,"scores":[[0,0],[1,"#), "{lines}");
}

#[test]
#[cfg(unix)]
fn mates_and_declarations_have_scores() {
    let mate = Run::of_script("echo info score mate -4; echo bestmove 7g7f");
    mate.carry_out(2).unwrap();
    let black = score::mated_in(4);
    assert_eq!(mate.lines()[0].scores[..2], [(0, black), (1, -black)]);
    let win = Run::of_script("echo bestmove win");
    win.carry_out(1).unwrap();
    assert_eq!(win.lines()[2].scores[1], (1, -score::mate_in(0)));
}

#[test]
#[cfg(unix)]
fn an_engine_that_fails_is_named_with_the_position() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let failure = |run: &Run| run.carry_out(1).unwrap_err().to_string();
    for program in ["/bin/false", "/bin/true"] {
        let run = Run::new(&format!("cmd:{program}"), GAMES);
        let error = failure(&run);
        assert!(error.starts_with(&format!("engine {}: start: ", &program[5..])), "{error}");
        assert!(error.ends_with(start) && !error.contains('\n'), "{error}");
    }
    let silent = failure(&Run::of_script("echo bestmove 7g7f"));
    let expected = "engine script: no score with its answer, as of a book; position ";
    assert_eq!(silent, format!("{expected}{start}"));

    // It dies in the last game; what came before stays, and another run goes on from there.
    let count = "n=$((n+1)); test $n = 12 && exit 3; echo info score cp 9; echo bestmove 7g7f";
    let run = Run::of_script(count);
    let error = failure(&run);
    let place = "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2";
    assert!(error.starts_with("engine script: crash: ") && error.ends_with(place), "{error}");
    assert_eq!(run.lines().len(), 2);
    assert_eq!(run.carry_out(1).unwrap().positions, 19);
}

/// Keeps what it is told.
#[derive(Default)]
struct Listener {
    complaints: Mutex<Vec<String>>,
    updates: Mutex<Vec<(u64, String)>>,
}

struct Updates<'a>(&'a Listener);

impl Observer for Listener {
    fn begin(&self, _: u64, _: &str) -> Box<dyn Progress + '_> {
        Box::new(Updates(self))
    }

    fn note(&self, line: &str) {
        self.complaints.lock().unwrap().push(line.to_owned());
    }
}

impl Progress for Updates<'_> {
    fn update(&mut self, done: u64, message: &dyn Fn() -> String) {
        self.0.updates.lock().unwrap().push((done, message()));
    }

    fn note(&self, _: &str) {}
}

#[test]
fn bad_games_are_named_and_bad_files_end_the_run() {
    let mut run = Run::new("tesuji:eval=material", GAMES);
    // Nothing says what its columns are.
    let other = run.folder.path().join("other.tsv");
    fs::write(&other, "b\tstartpos moves 7g7f\n").unwrap();
    run.plan.games.push(other);
    let listener = Listener::default();
    let context = Context { threads: 2, observer: &listener };
    let error = carry_out(&run.plan, &run.open(), &context).unwrap_err().to_string();
    assert!(error.contains("other.tsv:1: expected a # line"), "{error}");
    assert_eq!(run.lines().len(), 3, "what came before is kept");
    let complaints = listener.complaints.lock().unwrap();
    assert!(complaints.len() == 1 && complaints[0].contains("games.tsv:3: "), "{complaints:?}");
}

#[test]
fn progress_is_told_and_plans_are_checked() {
    let run = Run::new("tesuji:eval=material", GAMES);
    let listener = Listener::default();
    carry_out(&run.plan, &run.open(), &Context { threads: 1, observer: &listener }).unwrap();
    let last = listener.updates.lock().unwrap().pop();
    assert_eq!(last, Some((3, "19 positions".to_owned())));
    assert!(run.plan.check(&Silent).is_ok());
    let none = EngineScores { per_game: Some(0), ..run.plan.clone() };
    assert!(none.check(&Silent).is_err());
    let endless = EngineScores { limit: TimeControl::default(), ..run.plan.clone() };
    assert!(endless.check(&Silent).unwrap_err().to_string().contains("nothing ends its thinking"));
    let piped = EngineScores { games: vec!["-".into()], ..run.plan };
    assert!(piped.inputs().is_err(), "a run must be able to read its games again");
}
