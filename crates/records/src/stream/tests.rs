use std::io::{self, BufReader, Read};

use super::*;

const COLUMNS: &str = "#black\tgame\n";

/// What a text of games holds: the line and the number of moves of each, or the error.
fn read(format: Format, text: &[u8]) -> Vec<Result<(usize, usize), String>> {
    RawGames::new("games", format, text)
        .map(|raw| {
            let raw = raw?;
            Ok((raw.line, raw.read()?.main.moves.len()))
        })
        .map(|game: Result<_, RecordError>| game.map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn a_collection_gives_its_games_and_goes_on_after_bad_ones() {
    let text = format!(
        "{COLUMNS}甲\tstartpos moves 7g7f\r\n\n# a comment\n乙\tstartpos moves 7g7f 7f7d\n\
         丙\tstartpos\n丁\n戊\tstartpos moves 7g7f 3c3d"
    );
    assert_eq!(
        read(Format::Tsv, text.as_bytes()),
        [
            Ok((2, 1)),
            Err("games:5: ply 2: illegal move \"7f7d\"".into()),
            Ok((6, 0)),
            Err("games:7: the record ends too early: expected a game column".into()),
            Ok((8, 2)),
        ]
    );
}

#[test]
fn a_second_header_line_takes_over() {
    let text = format!("{COLUMNS}甲\tstartpos\n#game\tblack\nstartpos moves 7g7f\t乙\n");
    assert_eq!(read(Format::Tsv, text.as_bytes()), [Ok((2, 0)), Ok((4, 1))]);
}

#[test]
fn a_collection_without_columns_is_one_error() {
    let found = read(Format::Tsv, b"# games\na\tstartpos\nb\tstartpos\n");
    let [Err(message)] = &found[..] else { panic!("{found:?}") };
    assert!(message.starts_with("games:2: expected a # line"), "{message}");
}

#[test]
fn bad_bytes_spoil_their_own_line_only() {
    let mut text = COLUMNS.as_bytes().to_vec();
    text.extend(b"\xff\xff\tstartpos\nb\tstartpos\n");
    assert_eq!(
        read(Format::Tsv, &text),
        [Err("games:2: the bytes are neither UTF-8 nor Shift_JIS text".into()), Ok((3, 0))]
    );
}

#[test]
fn usi_lines() {
    let text = "\u{feff}startpos moves 7g7f\n\n# a comment\nposition startpos\nnonsense\n";
    let found = read(Format::Usi, text.as_bytes());
    assert_eq!(found[..2], [Ok((1, 1)), Ok((4, 0))]);
    assert!(found[2].as_ref().unwrap_err().starts_with("games:5: "), "{found:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn csa_games_are_separated_and_count_their_lines() {
    let text = "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nPI\n+\n+7776FU\n-3334FU\n/\n\n/\n\
                V2.2\nPI\n+\n+7776FU\n+2726FU\n/\nPI\n+\n";
    let found = read(Format::Csa, text.as_bytes());
    assert_eq!(found[..2], [Ok((1, 1)), Ok((7, 2))]);
    assert!(found[2].as_ref().unwrap_err().starts_with("games:19: "), "{found:?}");
    assert_eq!(found[3], Ok((21, 0)));
    assert_eq!(found.len(), 4);
}

#[test]
fn packed_positions_are_no_games() {
    let found = read(Format::Psv, &[0; 80]);
    assert_eq!(
        found,
        [Err("games:1: a file in format psv holds single positions, not games".into())]
    );
}

/// Gives bytes without end and counts them.
struct Endless<'a>(&'a mut usize);

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b'a');
        *self.0 += buffer.len();
        Ok(buffer.len())
    }
}

#[test]
fn a_line_without_end_is_given_up() {
    for format in [Format::Tsv, Format::Usi, Format::Csa, Format::Kif] {
        let mut count = 0;
        let mut games = RawGames::new("games", format, BufReader::new(Endless(&mut count)));
        let error = games.next().unwrap().unwrap_err();
        assert_eq!(error.kind, RecordErrorKind::TooLong);
        assert!(games.next().is_none());
        assert!(count <= MAX_GAME_BYTES + (1 << 16), "{format}: {count}");
    }
}

/// Fails after its bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            count => Ok(count),
        }
    }
}

#[test]
fn a_failing_disk_ends_the_file() {
    let text = b"startpos\nstartpos moves 7g7f\n";
    let mut games = RawGames::new("games", Format::Usi, BufReader::new(Failing(text)));
    assert!(games.next().unwrap().is_ok());
    assert!(games.next().unwrap().is_ok());
    let error = games.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "games:3: the disk is gone");
    assert!(!error.is_bad_game());
    assert!(games.next().is_none());
}

#[test]
fn folders_stand_for_their_files_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("b")).unwrap();
    for name in ["c.usi", "a.usi", "b/x.csa", "notes.txt", "a.tsv.manifest.json"] {
        std::fs::write(path(name), "startpos").unwrap();
    }
    let inputs = Input::from_paths(&[folder.path().into(), "-".into()]).unwrap();
    let files = ["a.usi", "b/x.csa", "c.usi"].map(|name| Input::File(path(name)));
    assert_eq!(inputs[..3], files);
    assert_eq!(inputs[3..], [Input::Stdin]);
    let missing = Input::from_paths(&[path("missing.kif")]).unwrap_err();
    assert!(missing.to_string().starts_with(&path("missing.kif").display().to_string()));
    assert_eq!(missing.line, 0);
}

#[test]
fn games_of_several_files_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let files = [("1.usi", "startpos moves 7g7f\nnonsense\n"), ("2", "startpos\n"), ("3", "what")];
    let inputs = files.map(|(name, text)| {
        std::fs::write(folder.path().join(name), text).unwrap();
        Input::File(folder.path().join(name))
    });
    let found: Vec<Result<usize, RecordError>> = Games::new(inputs.to_vec(), None)
        .map(|game| game.map(|game| game.value.main.moves.len()))
        .collect();
    assert_eq!(found[0], Ok(1));
    assert!(found[1].as_ref().unwrap_err().is_bad_game());
    // Without an extension the content decides.
    assert_eq!(found[2], Ok(0));
    assert_eq!(found[3].as_ref().unwrap_err().kind, RecordErrorKind::UnknownFormat);
    assert_eq!(found.len(), 4);
}
