//! A game told by its castles: which were built, when they stood, what broke them, and the move where
//! a plan broke.

use serde_json::{Value, json};
use tesuji_eval::formations::{Atlas, Formations, Found, Plan, SideRecognition, Stage, Tracker};
use tesuji_records::GameRecord;
use tesuji_report::Lang;
use tesuji_shogi::{Color, ExchangeValues, Move, Position};

use super::words::{event_text, side_text};
use super::{names_json, side_json};

/// By how much what stands must count for less for a plan to be broken: a gold or a silver that has
/// left its place.
const FALL: i32 = 6;
/// For how many moves of the game it must stay so: a general that makes room comes back, and a castle
/// that turns into another counts as much after a while.
const REGAINED: usize = 12;
/// A name that another takes the place of within so many moves is only told in passing.
const PASSING: usize = 10;
/// A castle that has stood to this share is broken when less than the other is left.
const STOOD: f64 = 0.7;
const LEFT: f64 = 0.5;

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
    /// What the plan would have been; nothing where all of the castle stood.
    pub plan: Option<Plan>,
}

/// What happens to a castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// Enough of it is there to give it its name.
    Named,
    /// All of it stands.
    Finished,
    /// Most of it stood, and little is left.
    Broken,
}

impl Happening {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Finished => "finished",
            Self::Broken => "broken",
        }
    }
}

/// Something that happened to a castle in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// The number of the move after which it was so, from 1.
    pub number: usize,
    /// Whose castle it is.
    pub color: Color,
    /// What happened.
    pub what: Happening,
    /// The castle, by its place in the list.
    pub castle: usize,
    /// The share that is in place.
    pub complete: f64,
    /// In words, English and Japanese.
    words: [String; 2],
}

impl Event {
    /// In words.
    pub fn text(&self, lang: Lang) -> &str {
        &self.words[lang as usize]
    }
}

/// What one player built.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SideStory {
    /// The castles by their places in the list, each with the ply from which it had its name.
    pub castles: Vec<(usize, usize)>,
    /// The most of the last one that stood.
    pub most: f64,
    /// Where the plan broke.
    pub broke: Option<Break>,
    /// How the opening ended.
    opening: Option<Opening>,
}

/// A player's opening when most of the castle stood for the first time.
#[derive(Clone, PartialEq, Debug)]
struct Opening {
    castle: usize,
    number: usize,
    complete: f64,
    words: [String; 2],
    json: Value,
}

/// A game with what both players built.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameStory {
    /// Black and White.
    pub sides: [SideStory; 2],
    /// What happened to the castles, in the order of the moves.
    pub events: Vec<Event>,
}

/// Follows a game.
pub fn story(game: &GameRecord, atlas: &Atlas) -> GameStory {
    let formations = atlas.formations();
    let mut tracker = Tracker::new(formations);
    let mut followers = Color::ALL.map(|color| Follower::new(color, formations));
    let mut last: Option<(Position, Move)> = None;
    let mut end = game.start;
    let moves = game.positions().map(|(position, mv)| (position, Some(mv)));
    for (ply, (position, mv)) in moves.chain([(game.start, None)]).enumerate() {
        let position = if mv.is_some() { position } else { end };
        let seen = tracker.see(&position);
        for follower in &mut followers {
            follower.see(ply, &position, seen.of(follower.color), last.as_ref());
        }
        if let Some(mv) = mv {
            end = position.after_unchecked(mv);
            last = Some((position, mv));
        }
    }
    let [black, white] = followers.map(|follower| follower.finish(atlas));
    let mut events = [black.1, white.1].concat();
    events.sort_by_key(|event| (event.number, event.color.index()));
    GameStory { sides: [black.0, white.0], events }
}

/// Follows one player.
struct Follower<'a> {
    color: Color,
    formations: &'a Formations,
    side: SideStory,
    events: Vec<Event>,
    /// What the best castle counts in each position.
    scores: Vec<i32>,
    /// The castle in the position before, its share, and whether it is still time to build.
    held: Option<(usize, f64)>,
    builds: bool,
    /// A castle that stood, all of it, and the one whose name stayed then.
    whole: Option<(usize, usize)>,
    /// Has the castle stood, so that it can be broken, and was it? That is told once.
    stood: bool,
    broken: bool,
    breaks: Vec<Break>,
}

impl<'a> Follower<'a> {
    fn new(color: Color, formations: &'a Formations) -> Self {
        Self {
            color,
            formations,
            side: SideStory::default(),
            events: Vec::new(),
            scores: Vec::new(),
            held: None,
            builds: true,
            whole: None,
            stood: false,
            broken: false,
            breaks: Vec::new(),
        }
    }

    fn see(
        &mut self,
        ply: usize,
        position: &Position,
        seen: &SideRecognition<'a>,
        last: Option<&(Position, Move)>,
    ) {
        let best = seen.castle.iter().chain(&seen.candidates).map(|found| found.score).max();
        self.scores.push(best.unwrap_or(0));
        let seen = &self.with_whole(position, seen);
        let now = seen.castle.as_ref().map(|one| (one.index, one.complete));
        if let Some((castle, complete)) = now {
            self.castle(ply, seen, castle, complete);
        }
        if self.builds
            && let Some((before, mv)) = last
            && before.side_to_move() == self.color
        {
            self.breaks.extend(self.fallen(before, *mv, position, ply));
        }
        self.builds = seen.stage != Stage::Endgame;
        self.held = now;
    }

    /// What is seen, with the name of a castle all of which stands. Names stay until another fits
    /// clearly better, but a whole mino is a mino and no single-wing mino any more.
    fn with_whole(
        &mut self,
        position: &Position,
        seen: &SideRecognition<'a>,
    ) -> SideRecognition<'a> {
        let mut seen = seen.clone();
        let Some(held) = &seen.castle else { return seen };
        let whole = seen.candidates.iter().filter(|one| one.is_whole() && one.score > held.score);
        if let Some(whole) = whole.max_by_key(|one| one.score) {
            self.whole = Some((held.index, whole.index));
        }
        if let Some((_, whole)) = self.whole.filter(|(instead_of, _)| *instead_of == held.index) {
            seen.candidates.retain(|one| one.index != whole);
            let whole = self.formations.castle_fit(position, self.color, whole);
            seen.candidates.splice(0..0, seen.castle.replace(whole));
        }
        seen
    }

    /// Notes what has become of the castle that has a name.
    fn castle(&mut self, ply: usize, seen: &SideRecognition<'a>, castle: usize, complete: f64) {
        if self.side.castles.last().is_none_or(|&(last, _)| last != castle) {
            self.passed(ply);
            self.side.castles.push((castle, ply));
            (self.side.most, self.stood, self.broken) = (0.0, false, false);
            self.note(ply, seen, Happening::Named, castle, complete);
        }
        let whole = seen.castle.as_ref().is_some_and(Found::is_whole);
        let mut own = self.events.iter().rev().filter(|event| event.castle == castle);
        if whole && !own.any(|event| event.what == Happening::Finished) {
            let named_now = |event: &Event| event.number == ply && event.what == Happening::Named;
            self.events.pop_if(|event| named_now(event));
            self.note(ply, seen, Happening::Finished, castle, complete);
        }
        self.side.most = self.side.most.max(complete);
        self.stood |= complete >= STOOD;
        let other = seen.candidates.iter().any(Found::is_castle);
        if self.stood && !self.broken && complete < LEFT && !other {
            self.broken = true;
            self.note(ply, seen, Happening::Broken, castle, complete);
        }
        let is_more = |known: &Opening| match known.castle == castle {
            true => complete > known.complete,
            false => complete >= known.complete,
        };
        if self.builds && self.side.opening.as_ref().is_none_or(is_more) {
            self.side.opening = Some(Opening {
                castle,
                number: ply,
                complete,
                words: Lang::ALL.map(|lang| side_text(self.color, seen, lang)),
                json: side_json(seen),
            });
        }
    }

    fn note(
        &mut self,
        number: usize,
        seen: &SideRecognition<'a>,
        what: Happening,
        castle: usize,
        complete: f64,
    ) {
        let names = &self.formations.castles()[castle].names;
        let words = Lang::ALL.map(|lang| match what {
            Happening::Named => side_text(self.color, seen, lang),
            _ => event_text(self.color, names, what, complete, lang),
        });
        let color = self.color;
        self.events.push(Event { number, color, what, castle, complete, words });
    }

    /// A castle that had its name for a few moves only was on the way to the next.
    fn passed(&mut self, ply: usize) {
        let is_passing =
            |event: &mut Event| event.what == Happening::Named && ply < event.number + PASSING;
        self.events.pop_if(is_passing);
    }

    /// Did a move take pieces out of a castle that stood, without need or gain?
    fn fallen(&self, before: &Position, mv: Move, after: &Position, ply: usize) -> Option<Break> {
        let (castle, complete) = self.held?;
        let from = mv.from()?;
        let gained = before.piece_on(mv.to()).is_some() || mv.is_promotion();
        let values = ExchangeValues::default();
        let forced = before.in_check() || before.capture_gain(from, !self.color, &values) > 0;
        let now = self.formations.castle_fit(after, self.color, castle).complete;
        let [.., old, new] = self.scores[..] else { return None };
        let is_break = !gained && !forced && now < complete && old - new >= FALL;
        is_break.then_some(Break {
            ply,
            mv,
            before: *before,
            castle,
            complete: [complete, now],
            plan: None,
        })
    }

    /// The story, with the first break that was one.
    fn finish(mut self, atlas: &Atlas) -> (SideStory, Vec<Event>) {
        let lasted = |one: &Break| {
            let later = self.scores.iter().skip(one.ply).take(REGAINED + 1);
            later.max().is_some_and(|&best| best + FALL <= self.scores[one.ply - 1])
        };
        self.side.broke = self.breaks.iter().find(|one| lasted(one)).cloned().map(|mut one| {
            one.plan = planned(atlas, &one.before, self.color, one.castle);
            one
        });
        (self.side, self.events)
    }
}

/// What was left to build: of the castle, or once that stands of what it grows into.
fn planned(atlas: &Atlas, position: &Position, color: Color, castle: usize) -> Option<Plan> {
    let formations = atlas.formations();
    if !formations.castle_fit(position, color, castle).is_whole() {
        return atlas.plan_castle(position, color, castle);
    }
    let next = formations.castles()[castle].grows_into.iter();
    let next = next.map(|&index| formations.castle_fit(position, color, index));
    let nearest = next.max_by_key(|found| found.score)?;
    atlas.plan_castle(position, color, nearest.index)
}

impl GameStory {
    /// The opening of each player in words, one line each; none of a player without a castle.
    pub fn opening(&self, lang: Lang) -> Vec<&str> {
        let known = self.sides.iter().filter_map(|side| side.opening.as_ref());
        known.map(|opening| &*opening.words[lang as usize]).collect()
    }

    /// What happened with a move of the game.
    pub fn with_move(&self, number: usize) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.number == number)
    }

    /// What an analysis has of it: how both openings ended, and what happened.
    pub fn analysis_json(&self, formations: &Formations) -> Value {
        let side = |color: Color| {
            self.sides[color.index()].opening.as_ref().map(|opening| {
                let mut shown = opening.json.clone();
                shown["number"] = opening.number.into();
                shown["text"] = opening.words[0].as_str().into();
                shown["japanese"] = opening.words[1].as_str().into();
                shown
            })
        };
        let event = |event: &Event| {
            json!({
                "number": event.number,
                "side": if event.color == Color::Black { "black" } else { "white" },
                "what": event.what.name(),
                "castle": names_json(&formations.castles()[event.castle].names),
                "complete": (event.complete * 1000.0).round() / 1000.0,
                "text": event.words[0],
                "japanese": event.words[1],
            })
        };
        json!({
            "black": side(Color::Black),
            "white": side(Color::White),
            "events": self.events.iter().map(event).collect::<Vec<_>>(),
        })
    }

    /// What both players built and where their plans broke, as JSON.
    pub fn to_json(&self, atlas: &Atlas) -> Value {
        let side = |color: Color| self.sides[color.index()].to_json(atlas.formations());
        json!({ "black": side(Color::Black), "white": side(Color::White) })
    }

    /// The same in words.
    pub fn text(&self, atlas: &Atlas) -> String {
        let of = |color: Color| self.sides[color.index()].text(color, atlas.formations());
        Color::ALL.map(of).concat()
    }
}

impl SideStory {
    fn to_json(&self, formations: &Formations) -> Value {
        let id = |castle: usize| &formations.castles()[castle].names.id;
        let castles = self.castles.iter();
        let castles = castles.map(|&(castle, ply)| json!({ "id": id(castle), "from_ply": ply }));
        let broke = self.broke.as_ref().map(|broke| {
            let plan = broke.plan.as_ref();
            let moves = plan.map(|plan| plan.moves.iter().map(ToString::to_string));
            json!({
                "ply": broke.ply,
                "move": broke.mv.to_string(),
                "castle": id(broke.castle),
                "complete": broke.complete,
                "plan": moves.map(Iterator::collect::<Vec<_>>),
                "plan_castle": plan.map(|plan| id(plan.castle)),
            })
        });
        json!({
            "castles": castles.collect::<Vec<_>>(),
            "complete": self.most,
            "broke": broke,
        })
    }

    fn text(&self, color: Color, formations: &Formations) -> String {
        let who = if color == Color::Black { "Black" } else { "White" };
        let name = |castle: usize| &formations.castles()[castle].names.name;
        let castles = self.castles.iter();
        let castles = castles.map(|&(castle, ply)| format!("{} from move {ply}", name(castle)));
        let castles: Vec<String> = castles.collect();
        if castles.is_empty() {
            return format!("{who}: no castle\n");
        }
        let most = (100.0 * self.most).round();
        let mut text = format!("{who}: {} (complete to {most} %)\n", castles.join(", then "));
        let Some(broke) = &self.broke else { return text };
        let [before, after] = broke.complete.map(|share| (100.0 * share).round());
        text += &format!(
            "  move {}, {}, broke the {}: {before} % to {after} %, and won nothing\n",
            broke.ply,
            broke.mv,
            name(broke.castle),
        );
        text += &match broke.plan.as_ref().filter(|plan| !plan.moves.is_empty()) {
            None => "  nothing was left to build there\n".to_owned(),
            Some(plan) => {
                let moves: Vec<String> = plan.moves.iter().map(ToString::to_string).collect();
                let to = if plan.castle == broke.castle { "finish the" } else { "go on to a" };
                format!("  the plan was to {to} {}: {}\n", name(plan.castle), moves.join(" "))
            }
        };
        text
    }
}
