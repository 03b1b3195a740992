//! KIF and KI2 over many games: random ones with all that a record can hold, games of
//! professionals, and files that were damaged.

mod damage;
mod professionals;
mod random_records;
mod reference;
mod round_trips;
