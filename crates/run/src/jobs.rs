//! Games side by side, handed on in their order.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Searches follow lines of mates over many plies, one call inside the other.
const STACK: usize = 64 << 20;

/// Does the jobs with these numbers on several threads and hands on what came out, in the order of the
/// numbers and as soon as nothing before it is missing: several at a time where several are there.
///
/// Each thread makes its own worker. A job is given a flag that is set when nobody wants its result any
/// more; it may then end with `None`. Whatever the number of threads, `hand_on` is given the same
/// results in the same order; where it breaks off, nothing after that is handed on.
pub fn run<W, T: Send, E: From<io::Error>>(
    threads: usize,
    numbers: Range<u64>,
    worker: impl Fn() -> W + Sync,
    job: impl Fn(&mut W, u64, &AtomicBool) -> Option<T> + Sync,
    mut hand_on: impl FnMut(Vec<T>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let stop = AtomicBool::new(false);
    let (sender, results) = channel();
    thread::scope(|scope| {
        let count = (threads.max(1) as u64).min(numbers.end.saturating_sub(numbers.start));
        for number in 0..count {
            let sender = sender.clone();
            let (next, stop, worker, job) = (&next, &stop, &worker, &job);
            let end = numbers.end;
            let builder = thread::Builder::new().name(format!("game {number}")).stack_size(STACK);
            let spawned = builder.spawn_scoped(scope, move || {
                let mut worker = worker();
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(result) = (number < end).then(|| job(&mut worker, number, stop))
                    else {
                        return;
                    };
                    if result.is_none_or(|result| sender.send((number, result)).is_err()) {
                        return;
                    }
                }
            });
            if let Err(error) = spawned {
                stop.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        drop(sender);
        let done = in_order(&results, numbers.start, &mut hand_on);
        stop.store(true, Ordering::Relaxed);
        done
    })
}

/// Hands on results in the order of their numbers.
fn in_order<T, E>(
    results: &Receiver<(u64, T)>,
    first: u64,
    hand_on: &mut impl FnMut(Vec<T>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut wanted = first;
    let mut waiting: BTreeMap<u64, T> = BTreeMap::new();
    while let Ok((number, result)) = results.recv() {
        waiting.insert(number, result);
        waiting.extend(results.try_iter());
        let mut ready = Vec::new();
        while let Some(result) = waiting.remove(&wanted) {
            ready.push(result);
            wanted += 1;
        }
        if !ready.is_empty() && hand_on(ready)?.is_break() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn handed_on(threads: usize, enough: usize) -> Vec<u64> {
        let mut all = Vec::new();
        let done: io::Result<()> = run(
            threads,
            3..40,
            || (),
            |(), number, _| {
                thread::sleep(Duration::from_micros(500 * (number * 7 % 5)));
                Some(number)
            },
            |results| {
                for result in results {
                    if all.len() == enough {
                        return Ok(ControlFlow::Break(()));
                    }
                    all.push(result);
                }
                Ok(ControlFlow::Continue(()))
            },
        );
        assert!(done.is_ok());
        all
    }

    #[test]
    fn the_order_is_the_same_for_every_number_of_threads() {
        for threads in [1, 2, 5, 100] {
            assert_eq!(handed_on(threads, 100), (3..40).collect::<Vec<_>>());
            assert_eq!(handed_on(threads, 10), (3..13).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_everything() {
        let done: io::Result<()> = run(
            2,
            0..10,
            || (),
            |(), number, _| Some(number),
            |_| Err(io::Error::other("no room")),
        );
        assert!(done.is_err());
    }
}
