//! Packed positions against the reference library, on random games, random bytes and real games.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use rsshogi::board::{HuffmanCodedPos, PackedSfen};
use rsshogi::types as reference;
use tesuji_records::{Ending, GameRecord, ParseErrorKind, Sample, hcpe, psv};
use tesuji_shogi::{Color, EndReason, GameResult, Handicap, Move, Outcome, Position};

/// Positions of random games, half of them even games and half from handicaps, each with a random
/// label. In half of the games pieces that can be taken are taken and nothing is dropped, which
/// fills the hands.
fn random_samples(count: usize) -> Vec<Sample> {
    const LONGEST: u16 = 400;
    const OUTCOMES: [Outcome; 3] =
        [Outcome::Draw, Outcome::Win(Color::Black), Outcome::Win(Color::White)];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(38);
    let mut samples = Vec::with_capacity(count);
    for game in 0.. {
        let handicap = if game % 2 == 0 { 0 } else { game / 2 % Handicap::ALL.len() };
        let greedy = random.next_u64() % 2 == 0;
        let mut position = Handicap::ALL[handicap].position();
        while position.ply() < LONGEST {
            let mut moves = position.legal_moves().to_vec();
            if greedy && moves.iter().any(|mv| !mv.is_drop()) {
                let captures = position.captures();
                moves.retain(|mv| !mv.is_drop() && (captures.is_empty() || captures.contains(mv)));
            }
            if moves.is_empty() {
                break;
            }
            let label = random.next_u64();
            let mv = moves[label as usize % moves.len()];
            samples.push(Sample {
                position,
                mv: Some(mv),
                score: Some((label >> 32) as i16),
                outcome: OUTCOMES[(label >> 48) as usize % 3],
                game: 0,
                ply: position.ply(),
            });
            if samples.len() == count {
                return samples;
            }
            position = position.after(mv).unwrap();
        }
    }
    unreachable!("the games go on for ever");
}

#[test]
fn random_positions_have_the_bytes_of_the_reference() {
    rsshogi::board::init();
    let samples = random_samples(30_000);
    // How many positions have promoted pieces and a box; the most pieces in a hand.
    let (mut promoted, mut boxed, mut held) = (0, 0, 0);
    for Sample { position, .. } in &samples {
        promoted += usize::from(position.pieces().any(|(_, piece)| piece.kind().is_promoted()));
        let in_hand = Color::ALL.map(|color| usize::from(position.hand(color).total()));
        held = held.max(in_hand[0].max(in_hand[1]));
        boxed += usize::from(position.pieces().count() + in_hand[0] + in_hand[1] < 40);

        let sfen = position.to_sfen();
        let theirs = rsshogi::board::Position::from_sfen(&sfen).unwrap();
        let packed = psv::pack(position).unwrap();
        let huffman = hcpe::pack(position).unwrap();
        assert_eq!(packed, theirs.to_packed_sfen().data, "{sfen}");
        assert_eq!(huffman, theirs.to_huffman_coded_pos().data, "{sfen}");

        assert_eq!(psv::unpack(&packed, position.ply()).unwrap(), *position);
        assert_eq!(hcpe::unpack(&huffman, position.ply()).unwrap(), *position);
        let mut unpacked = rsshogi::board::Position::empty();
        let ply = position.ply();
        unpacked.set_packed_sfen(&PackedSfen { data: packed }, false, ply).unwrap();
        assert_eq!(unpacked.to_sfen(None), theirs.to_sfen(None));
        unpacked.set_huffman_coded_pos(&HuffmanCodedPos { data: huffman }, ply).unwrap();
        assert_eq!(unpacked.to_sfen(None), theirs.to_sfen(None));
    }
    // The games do go where the formats are difficult.
    assert!(promoted > 10_000 && boxed > 10_000 && held > 15, "{promoted} {boxed} {held}");
}

#[test]
fn moves_have_the_bits_of_the_reference() {
    for mv in Move::all().filter(|mv| mv.from() != Some(mv.to())) {
        let theirs = reference::Move::from_usi(&mv.to_string()).unwrap();
        assert_eq!(psv::move_to_u16(mv), theirs.raw(), "{mv}");
        assert_eq!(hcpe::move_to_u16(mv), theirs.to_apery().raw(), "{mv}");
    }
}

#[test]
fn random_samples_survive_both_formats() {
    for sample in random_samples(20_000) {
        assert_eq!(psv::decode(&psv::encode(&sample).unwrap()), Ok(sample));
        let read = hcpe::decode(&hcpe::encode(&sample).unwrap()).unwrap();
        assert!(read.position.same_position(&sample.position));
        assert_eq!(Sample { position: sample.position, ply: sample.ply, ..read }, sample);
    }
}

/// Reads the position with both libraries: what the reference refuses we refuse, and what it reads
/// we read alike, unless the position is impossible.
fn compare_unpacked(bytes: [u8; 32]) -> bool {
    let mut theirs = rsshogi::board::Position::empty();
    let packed = theirs.set_packed_sfen(&PackedSfen { data: bytes }, false, 1);
    let packed = packed.is_ok().then(|| theirs.to_sfen(Some(1)));
    let huffman = theirs.set_huffman_coded_pos(&HuffmanCodedPos { data: bytes }, 1);
    let huffman = huffman.is_ok().then(|| theirs.to_sfen(Some(1)));
    let mut read = false;
    for (ours, theirs) in [(psv::unpack(&bytes, 1), packed), (hcpe::unpack(&bytes, 1), huffman)] {
        match (ours, theirs) {
            (Ok(ours), Some(theirs)) => {
                assert_eq!(ours.to_sfen(), theirs);
                read = true;
            }
            (Ok(ours), None) => panic!("{ours:?} from bytes that the reference refuses"),
            (Err(error), Some(theirs)) => {
                assert!(matches!(error, ParseErrorKind::BadPosition(_)), "{error}");
                assert!(Position::from_sfen(&theirs).is_err(), "{theirs}: {error}");
            }
            (Err(error), None) => assert!(matches!(error, ParseErrorKind::BadPosition(_))),
        }
    }
    read
}

#[test]
fn damaged_positions_are_refused_as_by_the_reference() {
    rsshogi::board::init();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut still_read = 0;
    for Sample { position, .. } in random_samples(5_000) {
        for mut bytes in [psv::pack(&position).unwrap(), hcpe::pack(&position).unwrap()] {
            for _ in 0..=random.next_u64() % 3 {
                let bit = random.next_u64() as u8;
                bytes[usize::from(bit / 8)] ^= 1 << (bit % 8);
            }
            still_read += usize::from(compare_unpacked(bytes));
        }
    }
    assert!(still_read > 100, "only {still_read} damaged positions could be read");
}

#[test]
fn random_bytes_never_panic() {
    rsshogi::board::init();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for round in 0..50_000 {
        let mut bytes = [0; psv::SIZE];
        random.fill_bytes(&mut bytes);
        // Sparse bits get farther than evenly mixed ones.
        if round % 2 == 0 {
            for byte in &mut bytes {
                *byte &= random.next_u64() as u8 & random.next_u64() as u8;
            }
        }
        compare_unpacked(*bytes.first_chunk().unwrap());
        assert!(psv::decode(&bytes).is_err());
        assert!(hcpe::decode(bytes.first_chunk().unwrap()).is_err());
    }
}

#[test]
fn random_labels_behind_a_position_never_panic() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for sample in random_samples(1_000) {
        for _ in 0..50 {
            let mut bytes = psv::encode(&sample).unwrap();
            random.fill_bytes(&mut bytes[32..]);
            bytes[38] %= 2;
            match psv::decode(&bytes) {
                Ok(read) => assert!(read.mv.is_none_or(|mv| sample.position.is_legal(mv))),
                Err(error) => assert!(matches!(
                    error,
                    ParseErrorKind::BadMove { .. } | ParseErrorKind::IllegalMove { .. }
                )),
            }
        }
    }
}

fn game_of_row(row: &str) -> GameRecord {
    let columns: Vec<&str> = row.split('\t').collect();
    let mut record = GameRecord::new(Position::startpos());
    let moves = columns[5].strip_prefix("startpos moves ").unwrap();
    record.main.moves = moves.split(' ').map(|text| text.parse::<Move>().unwrap().into()).collect();
    let result = match columns[4] {
        "b" => GameResult::win(Color::Black, EndReason::Unknown),
        "w" => GameResult::win(Color::White, EndReason::Unknown),
        "d" => GameResult::draw(EndReason::Unknown),
        _ => GameResult::UNKNOWN,
    };
    record.main.ending = Some(Ending::new(result));
    record
}

#[test]
fn professional_games_survive_both_formats() {
    let Some(text) = shared_data::read("pro_games.tsv") else { return };
    let mut samples = Vec::new();
    for row in text.lines().filter(|line| !line.starts_with('#')).step_by(4) {
        // The formats have no room for the number of a game.
        let game = game_of_row(row);
        samples.extend(game.samples(0).map(|sample| Sample { score: Some(0), ..sample }));
    }
    assert!(samples.len() > 50_000);
    let (mut psv_file, mut hcpe_file) = (psv::writer(Vec::new()), hcpe::writer(Vec::new()));
    for sample in &samples {
        psv_file.write(sample).unwrap();
        hcpe_file.write(sample).unwrap();
    }
    let (psv_file, hcpe_file) = (psv_file.finish().unwrap(), hcpe_file.finish().unwrap());
    assert_eq!(psv_file.len(), samples.len() * psv::SIZE);
    assert_eq!(hcpe_file.len(), samples.len() * hcpe::SIZE);

    let mut psv_reader = psv::reader(&*psv_file);
    let mut hcpe_reader = hcpe::reader(&*hcpe_file);
    for sample in &samples {
        assert_eq!(psv_reader.next().unwrap().unwrap(), *sample);
        let read = hcpe_reader.next().unwrap().unwrap();
        assert!(read.position.same_position(&sample.position));
        assert_eq!((read.mv, read.outcome), (sample.mv, sample.outcome));
    }
    assert!(psv_reader.next().is_none() && hcpe_reader.next().is_none());
}
