//! Playing games between engines: in this process or behind a pipe, with clocks, a referee who
//! knows the rules, paired openings, and the statistics of what came out.
//!
//! A game that is lost by a crash, by silence or by an illegal move is a lost game like any other:
//! the fault is kept with it, and the next game begins with a new engine.

pub mod clock;
pub mod game;
pub mod line;
pub mod openings;
pub mod player;
pub mod schedule;
pub mod spec;
pub mod tasks;

pub use clock::TimeControl;
pub use game::{DrawTerms, Played, ResignTerms, Seats, Terms};
pub use line::GameLine;
pub use player::{Answer, Fault, FaultKind, Player, Thought, Turn};
pub use schedule::{Fixture, Schedule};
pub use spec::{EngineKind, EngineSpec, LoadedEngine};
