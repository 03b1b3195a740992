use super::*;

/// What a session does, in few words: what it says, and what it begins or stops.
fn told(session: &mut Session, event: Event) -> Vec<String> {
    let word = |effect| match effect {
        Effect::Say(line) => line,
        Effect::Begin(job) => match *job {
            Job::Prepare { forget, .. } => format!("[prepare, forget {forget}]"),
            Job::Search { limits, .. } if limits.hard_time.is_none() => "[search]".to_owned(),
            Job::Search { .. } => "[search on the clock]".to_owned(),
            Job::Mate { time, .. } => format!("[mate, {time:?}]"),
        },
        Effect::Stop => "[stop]".to_owned(),
        Effect::StopAfter(_) => "[stop later]".to_owned(),
        Effect::Exit => "[exit]".to_owned(),
    };
    session.handle(event).into_iter().map(word).collect()
}

fn heard(session: &mut Session, line: &str) -> Vec<String> {
    told(session, Event::Line(line.to_owned()))
}

fn found(mv: &str) -> Event {
    Event::Found(SearchResult {
        best: mv.parse().ok(),
        ponder: None,
        score: 0,
        depth: 1,
        nodes: 1,
        time: Duration::ZERO,
        lines: Vec::new(),
        from_book: false,
    })
}

fn session() -> Session {
    Session::new(|_, _| String::new(), false).unwrap()
}

const NOTHING: [&str; 0] = [];

#[test]
fn ready_is_said_when_all_is_ready() {
    let mut session = session();
    assert_eq!(heard(&mut session, "isready"), ["[prepare, forget false]"]);
    assert_eq!(heard(&mut session, "usinewgame"), NOTHING);
    assert_eq!(told(&mut session, Event::Ready), ["readyok", "[prepare, forget true]"]);
    assert_eq!(told(&mut session, Event::Ready), NOTHING);
}

#[test]
fn a_search_with_an_end_answers_at_its_end() {
    let mut session = session();
    assert_eq!(heard(&mut session, "go btime 0 wtime 0 byoyomi 1000"), ["[search on the clock]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f"]);
    assert_eq!(heard(&mut session, "go depth 3"), ["[search]"]);
    assert_eq!(heard(&mut session, "stop"), ["[stop]"]);
    assert_eq!(told(&mut session, found("2g2f")), ["bestmove 2g2f"]);
    assert_eq!(heard(&mut session, "stop"), NOTHING);
}

#[test]
fn an_endless_search_answers_only_when_it_is_stopped() {
    let mut session = session();
    for go in ["go infinite", "go"] {
        assert_eq!(heard(&mut session, go), ["[search]"]);
        assert_eq!(told(&mut session, found("7g7f")), NOTHING);
        assert_eq!(heard(&mut session, "stop"), ["[stop]", "bestmove 7g7f"]);
    }
}

#[test]
fn pondering_answers_after_the_hit() {
    let mut session = session();
    let go = "go ponder btime 1000 wtime 1000 byoyomi 1000";
    // The search ended in the opponent's time.
    assert_eq!(heard(&mut session, go), ["[search]"]);
    assert_eq!(told(&mut session, found("7g7f")), NOTHING);
    assert_eq!(heard(&mut session, "ponderhit"), ["[stop later]", "bestmove 7g7f"]);
    // It goes on in the own time.
    assert_eq!(heard(&mut session, go), ["[search]"]);
    assert_eq!(heard(&mut session, "ponderhit"), ["[stop later]"]);
    assert_eq!(heard(&mut session, "ponderhit"), NOTHING);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f"]);
    // The opponent played something else.
    assert_eq!(heard(&mut session, go), ["[search]"]);
    assert_eq!(heard(&mut session, "stop"), ["[stop]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f"]);
    assert_eq!(heard(&mut session, "ponderhit"), NOTHING);
}

#[test]
fn what_comes_behind_another_go_is_meant_for_that_one() {
    let mut session = session();
    assert_eq!(heard(&mut session, "isready"), ["[prepare, forget false]"]);
    for line in ["go infinite", "stop", "position startpos moves 7g7f", "go infinite", "stop"] {
        assert_eq!(heard(&mut session, line), NOTHING);
    }
    assert_eq!(told(&mut session, Event::Ready), ["readyok", "[search]", "[stop]"]);
    let next = ["bestmove 7g7f", "[search]", "[stop]"];
    assert_eq!(told(&mut session, found("7g7f")), next);
    assert_eq!(told(&mut session, found("3c3d")), ["bestmove 3c3d"]);
}

#[test]
fn an_endless_search_gives_way_to_the_next_one() {
    let mut session = session();
    assert_eq!(heard(&mut session, "go mate infinite"), ["[mate, None]"]);
    assert_eq!(heard(&mut session, "go infinite"), ["[stop]"]);
    let next = ["checkmate timeout", "[search]"];
    assert_eq!(told(&mut session, Event::Solved(MateOutcome::Unknown)), next);
    assert_eq!(heard(&mut session, "go depth 1"), ["[stop]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f", "[search]"]);
    // A search that ends by itself does not.
    assert_eq!(heard(&mut session, "go depth 2"), NOTHING);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f", "[search]"]);
}

#[test]
fn the_position_stays_while_it_is_searched() {
    let mut session = session();
    heard(&mut session, "go infinite");
    assert_eq!(heard(&mut session, "position startpos moves 7g7f"), NOTHING);
    assert_eq!(session.game.moves().len(), 0);
    assert_eq!(heard(&mut session, "stop"), ["[stop]"]);
    // The search is about to end: what is asked now is meant for what comes after it.
    assert_eq!(heard(&mut session, "isready"), NOTHING);
    let next = ["bestmove 2g2f", "[prepare, forget false]"];
    assert_eq!(told(&mut session, found("2g2f")), next);
    assert_eq!(session.game.moves().len(), 1);
}

#[test]
fn questions_are_answered_during_a_search() {
    let mut session = session();
    heard(&mut session, "go infinite");
    assert_eq!(heard(&mut session, "isready"), ["readyok"]);
    assert_eq!(heard(&mut session, "usi").last().map(String::as_str), Some("usiok"));
    assert!(heard(&mut session, "eval")[0].contains("The evaluation"));
}

#[test]
fn ready_is_said_during_a_search_whatever_waits() {
    let mut session = session();
    heard(&mut session, "go infinite");
    for waits in ["setoption name MultiPV value 2", "usinewgame", "position startpos"] {
        assert_eq!(heard(&mut session, waits), NOTHING);
        assert_eq!(heard(&mut session, "isready"), ["readyok"]);
    }
    // The question itself waited while the engine made itself ready, behind something else.
    let mut session = self::session();
    heard(&mut session, "isready");
    for line in ["go infinite", "position startpos", "isready"] {
        assert_eq!(heard(&mut session, line), NOTHING);
    }
    assert_eq!(told(&mut session, Event::Ready), ["readyok", "[search]", "readyok"]);
    // Behind a `go` that is still to come the question is answered too.
    let mut session = self::session();
    heard(&mut session, "go depth 30");
    assert_eq!(heard(&mut session, "go depth 31"), NOTHING);
    assert_eq!(heard(&mut session, "isready"), ["readyok"]);
}

#[test]
fn a_hit_does_not_hold_the_answer_of_a_search_that_was_stopped() {
    let mut session = session();
    heard(&mut session, "go infinite");
    for line in ["go ponder infinite", "ponderhit"] {
        heard(&mut session, line);
    }
    assert_eq!(heard(&mut session, "quit"), ["[stop]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f", "[search]", "[stop]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f", "[exit]"]);
    let mut session = self::session();
    assert_eq!(heard(&mut session, "go ponder infinite"), ["[search]"]);
    assert_eq!(heard(&mut session, "stop"), ["[stop]"]);
    assert_eq!(heard(&mut session, "ponderhit"), NOTHING);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f"]);
}

#[test]
fn moves_that_cannot_be_searched_are_named() {
    let mut session = session();
    let answer = heard(&mut session, "go depth 1 searchmoves 7g7f 1a1b hello 2g2f");
    let expected = "info string go: searchmoves: left out, for they are illegal here: 1a1b hello";
    assert_eq!(answer, [expected, "[search]"]);
    told(&mut session, found("7g7f"));
    let answer = heard(&mut session, "go searchmoves 1a1b hello depth 1");
    let expected = "info string go: searchmoves: none is legal here, all moves are searched: \
                    1a1b hello";
    assert_eq!(answer, [expected, "[search]"]);
    told(&mut session, found("7g7f"));
    // Where the answer needs no search there is nothing to leave out, but the mistake stays one.
    heard(&mut session, "position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w - 1");
    assert_eq!(heard(&mut session, "go depth 1 searchmoves 1a1b").len(), 2);
}

#[test]
fn a_silent_search_gives_a_sign_of_life() {
    let silence = || Event::Silence { nodes: 5000, time: Duration::from_secs(2) };
    let sign = ["info nodes 5000 nps 2500 time 2000"];
    let mut session = session();
    for go in ["go infinite", "go mate infinite"] {
        assert_eq!(told(&mut session, silence()), NOTHING);
        heard(&mut session, go);
        assert_eq!(told(&mut session, silence()), sign);
        if go.contains("mate") {
            told(&mut session, Event::Solved(MateOutcome::NoMate));
        } else {
            // The answer is held back, but nobody searches.
            told(&mut session, found("7g7f"));
            assert_eq!(told(&mut session, silence()), NOTHING);
            heard(&mut session, "stop");
        }
    }
    heard(&mut session, "isready");
    assert_eq!(told(&mut session, silence()), NOTHING);
}

#[test]
fn troubles_are_told() {
    let mut session = session();
    let expected = ["info string a line that is longer than any command was dropped"];
    assert_eq!(told(&mut session, Event::Overlong), expected);
    let trouble = Event::Remark("no memory".to_owned());
    assert_eq!(told(&mut session, trouble), ["info string no memory"]);
}

#[test]
fn quitting_ends_the_search_and_answers_what_waits() {
    for last in [Event::Line("quit".to_owned()), Event::EndOfInput] {
        let mut session = session();
        heard(&mut session, "isready");
        heard(&mut session, "go infinite");
        heard(&mut session, "go mate infinite");
        assert_eq!(told(&mut session, last), NOTHING);
        assert_eq!(told(&mut session, Event::Ready), ["readyok", "[search]", "[stop]"]);
        let next = ["bestmove 7g7f", "[mate, None]", "[stop]"];
        assert_eq!(told(&mut session, found("7g7f")), next);
        let next = ["checkmate timeout", "[exit]"];
        assert_eq!(told(&mut session, Event::Solved(MateOutcome::Unknown)), next);
    }
    assert_eq!(heard(&mut session(), "quit"), ["[exit]"]);
}

#[test]
fn the_end_of_a_game_ends_pondering() {
    let mut session = session();
    heard(&mut session, "go ponder btime 1000 wtime 1000");
    assert_eq!(heard(&mut session, "gameover win"), ["[stop]"]);
    assert_eq!(told(&mut session, found("7g7f")), ["bestmove 7g7f"]);
}

#[test]
fn wins_and_losses_by_the_rules_need_no_search() {
    let mut session = session();
    let declared = "position sfen +R+R+B+B5/4K4/GGGGSSSS1/9/9/9/9/9/4k4 b - 1";
    heard(&mut session, declared);
    assert_eq!(heard(&mut session, "go btime 0 wtime 0 byoyomi 1000"), ["bestmove win"]);
    // Even then a ponder search answers only when it is asked to.
    assert_eq!(heard(&mut session, "go ponder byoyomi 1000"), NOTHING);
    assert_eq!(heard(&mut session, "ponderhit"), ["[stop later]", "bestmove win"]);
    heard(&mut session, "setoption name EnteringKingRule value NoEnteringKing");
    assert_eq!(heard(&mut session, "go depth 1"), ["[search]"]);
    told(&mut session, found("5b5a"));
    heard(&mut session, "position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w - 1");
    assert_eq!(heard(&mut session, "go byoyomi 1000"), ["bestmove resign"]);
}

#[test]
fn a_hopeless_score_is_resigned_if_that_is_wanted() {
    let mut session = session();
    let lost = || {
        let Event::Found(result) = found("7g7f") else { unreachable!() };
        Event::Found(SearchResult { score: -800, ..result })
    };
    heard(&mut session, "go depth 1");
    assert_eq!(told(&mut session, lost()), ["bestmove 7g7f"]);
    heard(&mut session, "setoption name ResignValue value 700");
    heard(&mut session, "go depth 1");
    assert_eq!(told(&mut session, lost()), ["bestmove resign"]);
}

#[test]
fn nonsense_gets_a_remark_and_changes_nothing() {
    let mut session = session();
    heard(&mut session, "position startpos moves 7g7f");
    for nonsense in
        ["hello", "position startpos moves 7g7f 7g7f", "setoption name X value 1", "\u{1}"]
    {
        let answer = heard(&mut session, nonsense);
        assert!(answer.len() == 1 && answer[0].starts_with("info string "), "{answer:?}");
    }
    assert_eq!(session.game.moves().len(), 1);
    assert_eq!(heard(&mut session, "   "), NOTHING);
}
