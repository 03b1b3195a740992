//! How often the veto of those who build castles doubts moves of books.

#[path = "../../shogi/tests/common/shared_data.rs"]
mod shared_data;

use tesuji_lab::book::{BuildPlan, build};
use tesuji_run::{Context, Silent};
use tesuji_search::book::{Book, castle_veto, db};
use tesuji_shogi::Position;

/// The share of what was played that is doubted.
fn doubted(name: &str, book: &Book) -> f64 {
    let veto = castle_veto(None);
    let (mut all, mut doubted) = (0_u64, 0_u64);
    for entry in book.entries() {
        let sfen = format!("{} {}", entry.placement, entry.ply);
        let position = Position::from_sfen(&sfen).unwrap();
        for known in entry.moves {
            let Some(mv) = known.mv else { continue };
            all += u64::from(known.count);
            doubted += u64::from(known.count) * u64::from(veto.doubts(&position, mv));
        }
    }
    let share = doubted as f64 / all.max(1) as f64;
    println!("{name}: {doubted} of {all} are doubted ({share:.3})");
    share
}

#[test]
fn few_moves_of_books_are_doubted() {
    let Some(standard) = shared_data::path("book_standard.db") else { return };
    let Some(games) = shared_data::path("pro_games.tsv") else { return };
    let standard = doubted("book_standard.db", &db::load(&standard).unwrap().book);
    let plan = BuildPlan { games: vec![games], plies: 20, min_count: 2, winners: false };
    let book = build(&plan, &Context { threads: 2, observer: &Silent }).unwrap().book;
    let professionals = doubted("professionals", &book);
    assert!((0.03..0.25).contains(&standard), "{standard}");
    assert!((0.005..0.1).contains(&professionals), "{professionals}");
}
