//! What matches, tournaments, self-play and evolution by games share: engines and conditions from the
//! command line, games played into the journal of a run folder, and what is made of the journal.

pub mod contest;
pub mod faults;
pub mod flags;
pub mod games;
pub mod hall;
pub mod meetings;
pub mod rounds;
pub mod run;
pub mod text;
