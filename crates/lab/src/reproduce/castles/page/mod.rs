//! The page `docs/results/castles.md`.

mod leaving;
mod masters;
mod table;

use tesuji_eval::formations::Atlas;
use tesuji_report::{Cell, Column, Table};

use super::pictures::{galleries, squares_as_printed};
use super::settings::{self, CastlesReproduction, PAIRINGS, SURVEY_PLY, Version};
use super::{Findings, Popularity};
use crate::reproduce::document::Document;
use crate::reproduce::shares::share_cells;

/// Everything that was found, in words, tables and pictures.
pub fn document(plan: &CastlesReproduction, findings: &Findings, atlas: &Atlas) -> Document {
    let lead = "Made by `tesuji reproduce castles`; every number is measured by that command, except \
                those of the paper (Grimbergen, Rollason: *Using Castle and Assault Maps for Guiding \
                Opening and Middle Game Play in Shogi*, 2001), which are named so. A map says for each \
                kind of piece where it belongs in a castle or an assault; the maps of the formations \
                that suit a position best are added to the evaluation.";
    let mut document = Document::new("Castle and assault maps", lead);
    table::section(&mut document, plan, findings);
    leaving::section(&mut document, plan, findings);
    masters::section(&mut document, &findings.masters);
    maps(&mut document, atlas);
    commands(&mut document, plan);
    document
}

/// The success of something that is played.
fn success_cells(popularity: &Popularity) -> [Cell; 2] {
    share_cells(popularity.half_points as f64 / 2.0, popularity.decided as f64)
}

fn maps(document: &mut Document, atlas: &Atlas) {
    document.section("Maps as pictures");
    document.text(&format!(
        "Seen by their owner. The king's map of the mino is figure 3 of the paper, on {} of 81 squares \
         with the number that is printed there; the other maps were built from the squares of the \
         formation and learned from the roads that players took to it \
         (`docs/decisions/0008-formations.md`). Where a kind has several places, each has a \
         map of its own and the larger number is shown. Zero, which is written small, says nothing of \
         a square; promoted pieces use the maps of the gold, the bishop and the rook.",
        squares_as_printed(atlas)
    ));
    for gallery in galleries(atlas) {
        document.text(&format!("**{}**", gallery.title));
        document.gallery(gallery.pictures);
    }
}

/// How each part is repeated alone.
fn commands(document: &mut Document, plan: &CastlesReproduction) {
    document.section("What shows what");
    let games = "../shared/data/pro_games.tsv";
    let moves = settings::BOOK_MOVES[0];
    let engines = PAIRINGS[0].versions.map(|version: Version| version.engine("F.db", moves));
    let limit = settings::flag(&plan.sizes.control);
    let mut table = Table::new([Column::text("part"), Column::text("command")]);
    let mut row = |part: &str, command: &str| {
        table.row([Cell::text(part), Cell::text(command)]);
    };
    row("this page", "tesuji reproduce castles");
    row(
        "the book of the professionals' games",
        &format!(
            "tesuji book build --games {games} --plies {} --min-count 1 --output F.db",
            settings::BOOK_MOVES[settings::BOOK_MOVES.len() - 1]
        ),
    );
    row(
        "a cell of table 1",
        &format!(
            "tesuji match {} {} --games {} {limit} --seed {}",
            engines[0],
            engines[1],
            plan.sizes.games,
            settings::match_seed(moves)
        ),
    );
    row("a move of the book, and whether it is doubted", "tesuji book show SFEN --book F.db");
    row("what masters build", &format!("tesuji castles games {games} --ply {SURVEY_PLY} --json"));
    row(
        "the same of the games that are kept apart",
        &format!("tesuji castles games {games} --ply {SURVEY_PLY} --held-out"),
    );
    row("one game, and where its plan broke", &format!("tesuji castles games {games} --game 1"));
    row("a map", "tesuji castles map mino king");
    row("what stands on a board", "tesuji castles show SFEN");
    row("the moves to a castle", "tesuji plan SFEN");
    document.table(table);
}
