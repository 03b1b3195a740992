//! Maps learned from the roads that players took to a formation: how many moves a piece that went by
//! a square still needed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use tesuji_eval::formations::{Atlas, LearnedMaps, PlaceMap, Roads};
use tesuji_learn::pool;
use tesuji_records::GameRecord;
use tesuji_records::stream::{Games, Input};
use tesuji_run::Context;
use tesuji_shogi::{BoardChange, Color, Position, Square};

use crate::data::positions::in_parallel;

/// The share of a formation from which it counts as reached.
const REACHED: f64 = 0.9;
/// Moves after which nobody builds any more.
const LAST_PLY: usize = 100;

/// The roads to the places of formations, by the name of the formation and the place.
type AllRoads = BTreeMap<(String, usize), Roads>;

/// What was learned, and from how many games.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The maps.
    pub maps: LearnedMaps,
    /// All games.
    pub games: u64,
    /// How often a formation was reached.
    pub reached: u64,
}

/// Follows all games.
pub fn learn(files: &[PathBuf], atlas: &Atlas, context: &Context<'_>) -> Result<Learned> {
    let (all, games, reached) = pool(context.threads)?.install(|| -> Result<_> {
        let (mut all, mut games, mut reached) = (AllRoads::new(), 0_u64, 0_u64);
        let mut progress = context.observer.begin(0, "");
        let records = Games::new(Input::from_paths(files)?, None).raw();
        let of_game = |game: &GameRecord, _| of_game(game, atlas);
        in_parallel((0..).zip(records), context.observer, of_game, |some| {
            for (roads, count) in some {
                games += 1;
                reached += count;
                for (key, road) in roads {
                    all.entry(key).or_default().add(&road);
                }
            }
            progress.update(games, &|| format!("{games} games"));
        })?;
        Ok((all, games, reached))
    })?;
    ensure!(games > 0, "there is no game in these files");
    Ok(Learned { maps: LearnedMaps::new(atlas, &all), games, reached })
}

/// Who a piece is, from move to move, and where it has been: squares of its owner's view with the
/// number of the move by which it came there.
#[derive(Clone, Default)]
struct Track(Vec<Square>);

/// The pieces of a board with their tracks.
struct Tracks {
    by_square: Vec<Option<Track>>,
}

impl Tracks {
    fn new(position: &Position) -> Self {
        let mut by_square = vec![None; Square::COUNT];
        for (square, piece) in position.pieces() {
            by_square[square.index()] = Some(Track(vec![square.seen_by(piece.color())]));
        }
        Self { by_square }
    }

    fn play(&mut self, change: &BoardChange) {
        let moved = change.from.and_then(|from| self.by_square[from.index()].take());
        let mut track = moved.unwrap_or_default();
        track.0.push(change.to.seen_by(change.side));
        self.by_square[change.to.index()] = Some(track);
    }
}

/// The roads of one game, and how many formations were reached in it.
fn of_game(game: &GameRecord, atlas: &Atlas) -> (AllRoads, u64) {
    let formations = atlas.formations();
    let mut roads = AllRoads::new();
    let mut reached =
        [vec![false; formations.castles().len()], vec![false; formations.castles().len()]];
    let mut assaults =
        [vec![false; formations.assaults().len()], vec![false; formations.assaults().len()]];
    let mut count = 0;
    let mut tracks: Option<Tracks> = None;
    for (position, mv) in game.positions().take(LAST_PLY) {
        let tracks = tracks.get_or_insert_with(|| Tracks::new(&position));
        // Only who has just moved can have reached something.
        let color = !position.side_to_move();
        for (index, castle) in formations.castles().iter().enumerate() {
            let done = &mut reached[color.index()][index];
            if !*done && formations.castle_fit(&position, color, index).complete >= REACHED {
                *done = true;
                count += 1;
                note(
                    &mut roads,
                    &castle.names.id,
                    atlas.castle(index).places(),
                    tracks,
                    &position,
                    color,
                );
            }
        }
        for (index, assault) in formations.assaults().iter().enumerate() {
            let done = &mut assaults[color.index()][index];
            if !*done && formations.assault_fit(&position, color, index).complete >= REACHED {
                *done = true;
                count += 1;
                note(
                    &mut roads,
                    &assault.names.id,
                    atlas.assault(index).places(),
                    tracks,
                    &position,
                    color,
                );
            }
        }
        tracks.play(&BoardChange::new(&position, mv));
    }
    (roads, count)
}

/// Notes the roads of the pieces that stand in their places.
fn note(
    roads: &mut AllRoads,
    id: &str,
    places: &[PlaceMap],
    tracks: &Tracks,
    position: &Position,
    color: Color,
) {
    for (number, place) in places.iter().enumerate() {
        let (kind, square) = place.place;
        let square = square.seen_by(color);
        let stands = position.of(color, kind).contains(square);
        if let Some(track) = tracks.by_square[square.index()].as_ref().filter(|_| stands) {
            let road = roads.entry((id.to_owned(), number)).or_default();
            road.note(&track.0);
        }
    }
}
