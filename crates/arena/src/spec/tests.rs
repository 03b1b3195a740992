use proptest::prelude::*;
use proptest::{collection, option, sample};
use tesuji_search::spec::{EvaluationSpec, SearchSpec, Setting};

use super::*;

fn parse(text: &str) -> EngineSpec {
    text.parse().unwrap()
}

fn own(spec: &EngineSpec) -> &SearchSpec {
    let EngineKind::Own(own) = &spec.kind else { panic!("{spec}") };
    own
}

#[test]
fn engines_are_read() {
    let control = TimeControl::nodes(100);
    let plain = parse("tesuji").load(control).unwrap();
    assert_eq!((&*plain.name, plain.control.nodes), ("tesuji", Some(100)));
    assert_eq!(plain.mebibytes(), 1);
    assert_eq!(parse("tesuji:nodes=1000").load(control).unwrap().mebibytes(), 2);
    assert_eq!(parse("tesuji:depth=9").load(control).unwrap().mebibytes(), 16);
    let text = "tesuji:eval=material,preset=full-width-2000,null_move=1,st=0.5,name=old";
    let spec = parse(text);
    let limits = TimeControl { move_time: Some(500), ..TimeControl::default() };
    assert_eq!((&*spec.label(), spec.limits), ("old", Some(limits)));
    let params = own(&spec).load().unwrap().params;
    assert_eq!((params.get("null_move"), params.get("razor_depth")), (Some(1), Some(0)));
    assert_eq!(spec.to_string(), text);

    let other = parse("cmd:/usr/games/x,option.A=1,arg=--usi,drops=@,depth=3,option.B=c=d");
    let EngineKind::Usi(command) = &other.kind else { panic!() };
    assert_eq!((&*other.label(), other.limits.unwrap().depth), ("x", Some(3)));
    assert!(command.at_drops);
    assert_eq!(command.arguments, ["--usi"]);
    let options = [("A".to_owned(), "1".to_owned()), ("B".to_owned(), "c=d".to_owned())];
    assert_eq!(command.options, options);
}

#[test]
fn quotes_hold_what_a_comma_would_end() {
    let spec = parse(r#"tesuji:eval="a,b \"c\".toml",name="one, two",hash=2"#);
    let evaluation = EvaluationSpec::File(r#"a,b "c".toml"#.to_owned());
    assert_eq!(own(&spec).evaluation, Some(evaluation));
    assert_eq!((&*spec.label(), own(&spec).hash), ("one, two", Some(2)));
    // Without a comma, quotes and backslashes are what they are.
    let plain = parse(r#"cmd:C:\x.exe,option.A=say "no",name= spaced "#);
    let EngineKind::Usi(command) = &plain.kind else { panic!() };
    assert_eq!(command.program, r"C:\x.exe");
    assert_eq!(command.options[0].1, r#"say "no""#);
    assert_eq!(plain.name.as_deref(), Some(" spaced "));
    assert_eq!(parse(&plain.to_string()), plain);
}

#[test]
fn nonsense_is_refused() {
    for text in [
        "",
        "stockfish",
        "tesuji2",
        "tesuji:eval",
        "tesuji:hash=0",
        "tesuji:threads=0",
        "tesuji:nodes=0",
        "tesuji:null_move=x",
        "tesuji:book_moves=-1",
        "tesuji:book_veto=maybe",
        "tesuji:eval=\"open",
        "tesuji:eval=\"a\"b",
        "tesuji:eval=\"a\\b\"",
        "cmd:",
        "cmd:x,what=1",
        "cmd:x,st=-1",
    ] {
        assert!(text.parse::<EngineSpec>().is_err(), "{text}");
    }
    let control = TimeControl::nodes(100);
    for text in [
        "tesuji:no_such=1",
        "tesuji:eval=no/such/file",
        "tesuji:search=none",
        "tesuji:book=no/such",
    ] {
        assert!(parse(text).load(control).is_err(), "{text}");
    }
    assert!(parse("tesuji").load(TimeControl::default()).is_err());
}

/// Text with all that makes reading hard.
fn hard_text() -> impl Strategy<Value = String> {
    let part = sample::select(vec![",", "\"", "\\", "=", " ", "\n", "a", "ü", ".", ":", "\r", "1"]);
    collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn evaluations() -> impl Strategy<Value = EvaluationSpec> {
    prop_oneof![
        Just(EvaluationSpec::named("material")),
        hard_text().prop_map(|path| EvaluationSpec::named(&path)),
        hard_text().prop_map(EvaluationSpec::Weights),
    ]
}

fn searches() -> impl Strategy<Value = SearchSpec> {
    let settings = (sample::select(vec!["null_move", "aspiration"]), any::<i32>())
        .prop_map(|(name, value)| Setting { name: name.to_owned(), value });
    (
        option::of(evaluations()),
        option::of(hard_text()),
        option::of(hard_text()),
        collection::vec(settings, 0..3),
        option::of(1_usize..9),
        option::of(1_usize..999),
        books(),
    )
        .prop_map(|(evaluation, search, preset, settings, threads, hash, book)| SearchSpec {
            evaluation,
            search,
            preset,
            settings,
            threads,
            hash,
            ..book
        })
}

fn books() -> impl Strategy<Value = SearchSpec> {
    let numbers = (option::of(any::<u16>()), option::of(any::<u32>()), option::of(any::<bool>()));
    let files = (option::of(hard_text()), option::of(hard_text()));
    (files, numbers).prop_map(|((book, castles), (book_moves, book_min_count, book_veto))| {
        SearchSpec { book, castles, book_moves, book_min_count, book_veto, ..SearchSpec::default() }
    })
}

fn commands() -> impl Strategy<Value = UsiCommand> {
    let options = collection::vec((hard_text(), hard_text()), 0..3);
    let program = hard_text().prop_map(|text| format!("x{text}"));
    (program, collection::vec(hard_text(), 0..3), options, any::<bool>()).prop_map(
        |(program, arguments, options, at_drops)| UsiCommand {
            program,
            arguments,
            options,
            at_drops,
        },
    )
}

pub(crate) fn controls() -> impl Strategy<Value = TimeControl> {
    let ms = 1_u64..100_000_000;
    (
        option::of((ms.clone(), 0..10_000_u64)),
        option::of(ms.clone()),
        option::of(ms),
        option::of(1..u64::MAX),
        option::of(1..200_u32),
    )
        .prop_map(|(clock, byoyomi, move_time, nodes, depth)| {
            let (base, increment) = clock.unwrap_or_default();
            let byoyomi = byoyomi.unwrap_or(0);
            TimeControl { base, increment, byoyomi, move_time, nodes, depth }
        })
}

fn engines() -> impl Strategy<Value = EngineSpec> {
    let kinds =
        prop_oneof![searches().prop_map(EngineKind::Own), commands().prop_map(EngineKind::Usi)];
    let limits = controls().prop_map(|control| (!control.is_endless()).then_some(control));
    (kinds, limits, option::of(hard_text())).prop_map(|(kind, limits, name)| EngineSpec {
        kind,
        limits,
        name,
    })
}

proptest! {
    #[test]
    fn an_engine_is_its_text(engine in engines()) {
        let text = engine.to_string();
        prop_assert_eq!(&text.parse::<EngineSpec>().map_err(|why| why.to_string()), &Ok(engine.clone()));
        let json = serde_json::to_string(&engine).unwrap();
        prop_assert_eq!(&json, &serde_json::to_string(&text).unwrap());
        prop_assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), engine);
    }

    #[test]
    fn a_search_is_its_json(search in searches()) {
        let json = serde_json::to_string(&search).unwrap();
        prop_assert_eq!(serde_json::from_str::<SearchSpec>(&json).unwrap(), search);
    }

    #[test]
    fn a_time_control_is_its_text(control in controls()) {
        prop_assert_eq!(control.to_string().parse::<TimeControl>(), Ok(control));
    }

    #[test]
    fn no_text_is_too_hard(text in hard_text()) {
        for text in [format!("tesuji:{text}"), format!("cmd:{text}"), text] {
            if let Ok(spec) = text.parse::<EngineSpec>() {
                prop_assert_eq!(spec.to_string().parse::<EngineSpec>().ok(), Some(spec));
            }
        }
    }
}
