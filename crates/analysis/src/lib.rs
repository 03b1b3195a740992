//! Judging games and explaining positions in words.
