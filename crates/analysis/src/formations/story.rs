//! One game: what each player built, and the move where the plan broke.

use serde_json::{Value, json};
use tesuji_eval::formations::{Atlas, Plan, Tracker};
use tesuji_records::GameRecord;
use tesuji_shogi::{Color, Move, Position};

/// By how much what stands must count for less for a plan to be broken: two places of a general.
const FALL: i32 = 6;

/// A move after which less of the castle stood, though nothing was won by it.
#[derive(Clone, PartialEq, Debug)]
pub struct Break {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// The position before it.
    pub before: Position,
    /// The castle, by its place in the list.
    pub castle: usize,
    /// The share of it before and after.
    pub complete: [f64; 2],
    /// What the plan would have been.
    pub plan: Option<Plan>,
}

/// What one player built.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoachedSide {
    /// The castles by their places in the list, each with the ply from which it had its name.
    pub castles: Vec<(usize, usize)>,
    /// The most of the last one that stood.
    pub most: f64,
    /// Where the plan broke.
    pub broke: Option<Break>,
}

/// A game with what both players built.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CoachedGame {
    /// Black and White.
    pub sides: [CoachedSide; 2],
}

/// Follows a game.
pub fn coach(game: &GameRecord, atlas: &Atlas) -> CoachedGame {
    let mut coached = CoachedGame::default();
    let mut tracker = Tracker::new(atlas.formations());
    let mut before: [Option<(usize, f64)>; 2] = [None; 2];
    let mut last: Option<(Position, Move)> = None;
    for (ply, (position, mv)) in game.positions().enumerate() {
        let seen = tracker.see(&position);
        for color in Color::ALL {
            let side = &mut coached.sides[color.index()];
            let now = seen.of(color).castle.as_ref().map(|one| (one.index, one.complete));
            if let Some((castle, complete)) = now {
                if side.castles.last().is_none_or(|&(last, _)| last != castle) {
                    side.castles.push((castle, ply));
                    side.most = 0.0;
                }
                side.most = side.most.max(complete);
            }
            if side.broke.is_none()
                && let Some((from, mv)) = &last
                && from.side_to_move() == color
            {
                side.broke = broken(atlas, from, *mv, &position, before[color.index()], ply);
            }
            before[color.index()] = now;
        }
        last = Some((position, mv));
    }
    coached
}

/// Did a move take pieces out of a castle that stood, without need or gain?
fn broken(
    atlas: &Atlas,
    before: &Position,
    mv: Move,
    after: &Position,
    held: Option<(usize, f64)>,
    ply: usize,
) -> Option<Break> {
    let color = before.side_to_move();
    let (castle, complete) = held?;
    let now = atlas.formations().castle_fit(after, color, castle).complete;
    let forced = before.in_check() || before.piece_on(mv.to()).is_some();
    // A castle may turn into another: what fits best then counts.
    let best =
        |position| atlas.formations().castles_by_fit(position, color).first().map(|f| f.score);
    if forced || now >= complete || best(before)? - best(after)? < FALL {
        return None;
    }
    let plan = atlas.plan_castle(before, color, castle);
    Some(Break { ply, mv, before: *before, castle, complete: [complete, now], plan })
}

impl CoachedGame {
    /// All of it as JSON.
    pub fn to_json(&self, atlas: &Atlas) -> Value {
        let side = |color: Color| self.sides[color.index()].to_json(atlas);
        json!({ "black": side(Color::Black), "white": side(Color::White) })
    }
}

impl CoachedSide {
    fn to_json(&self, atlas: &Atlas) -> Value {
        let id = |castle: usize| &atlas.formations().castles()[castle].names.id;
        let castles = self.castles.iter();
        let castles = castles.map(|&(castle, ply)| json!({ "id": id(castle), "from_ply": ply }));
        let broke = self.broke.as_ref().map(|broke| {
            let plan = broke
                .plan
                .as_ref()
                .map(|plan| plan.moves.iter().map(ToString::to_string).collect::<Vec<_>>());
            json!({
                "ply": broke.ply,
                "move": broke.mv.to_string(),
                "castle": id(broke.castle),
                "complete": broke.complete,
                "plan": plan,
            })
        });
        json!({
            "castles": castles.collect::<Vec<_>>(),
            "complete": self.most,
            "broke": broke,
        })
    }
}
