//! CSA, JKF and USI: round trips of made-up and of real games, and damaged files.

mod damage;
mod made_up;
mod real_games;
mod round_trips;
