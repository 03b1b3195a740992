//! `tesuji castles map`.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use tesuji_analysis::formations::names_json;
use tesuji_eval::formations::{Atlas, FormationMaps, Names};
use tesuji_shogi::{PieceKind, Square};

use super::FormationFlags;
use crate::output;

/// Show the map of a kind of piece in a castle or an assault: where it is worth how much.
#[derive(Args, Debug)]
pub struct MapArgs {
    /// The castle or assault, by its id or any of its names.
    #[arg(value_name = "FORMATION")]
    formation: String,
    /// The piece: pawn, lance, knight, silver, gold, bishop, rook or king.
    #[arg(value_name = "PIECE")]
    piece: String,
    #[command(flatten)]
    formations: FormationFlags,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub fn run(args: &MapArgs) -> Result<ExitCode> {
    let atlas = args.formations.load()?;
    let (names, maps) = find(&atlas, &args.formation)?;
    let plain = PieceKind::ALL.into_iter().filter(|kind| !kind.is_promoted());
    let Some(kind) = plain.clone().find(|kind| kind.english() == args.piece) else {
        let known: Vec<&str> = plain.map(PieceKind::english).collect();
        bail!("{:?} is no piece with a map; there are {}", args.piece, known.join(", "));
    };
    let values = maps.of_kind(kind);
    let row = |rank: u8| -> Vec<i8> {
        let squares = (1..=9).rev().filter_map(|file| Square::new(file, rank));
        squares.map(|square| values[square.index()]).collect()
    };
    let rows: Vec<Vec<i8>> = (1..=9).map(row).collect();
    let places = maps.places().iter().filter(|place| place.place.0 == kind);
    let places: Vec<String> = places.map(|place| place.place.1.to_string()).collect();
    let value = || {
        let mut shown = names_json(names);
        shown["piece"] = kind.english().into();
        shown["squares"] = json!(places);
        shown["map"] = json!(rows);
        shown
    };
    let text = || {
        let places = if places.is_empty() { "no square".into() } else { places.join(" ") };
        let mut text = format!("{}, {}: {places}\n", names.name, kind.english());
        text += "    9   8   7   6   5   4   3   2   1\n";
        for (row, rank) in rows.iter().zip('a'..) {
            text.extend(row.iter().map(|value| format!(" {value:>3}")));
            text += &format!("  {rank}\n");
        }
        text
    };
    output::either(args.json, value, text)
}

/// The castle or assault with this name.
fn find<'a>(atlas: &'a Atlas, name: &str) -> Result<(&'a Names, &'a FormationMaps)> {
    let formations = atlas.formations();
    if let Some(index) = formations.castles().iter().position(|one| one.names.has(name)) {
        return Ok((&formations.castles()[index].names, atlas.castle(index)));
    }
    if let Some(index) = formations.assaults().iter().position(|one| one.names.has(name)) {
        return Ok((&formations.assaults()[index].names, atlas.assault(index)));
    }
    let near = formations.nearest_name(name);
    bail!(
        "{name:?} is no castle and no assault{}",
        near.map_or_else(String::new, |near| { format!("; did you mean {near}?") })
    )
}
