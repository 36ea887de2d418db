//! Plays the traces of a task, each in a thread of its own.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::store::{Entry, Res, Store};
use crate::trace::{self, Call, Kind, Operation};
use crate::{Task, ThreadTask};

/// Results are checked after so many calls, or so many bytes: memory that a
/// program would not hold is cold.
const BLOCK: usize = 4096;
const BLOCK_BYTES: u64 = 4 << 20;
const INTERVAL_NANOS: u64 = 25_000_000;
/// When the first call at a rate is due, at the earliest.
const SOON_NANOS: u64 = 1_000_000;
/// A sleep ends so late.
const SPIN_NANOS: u64 = 250_000;

/// The answer to a task.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase", tag = "type", rename = "played")]
pub struct Played {
    pub nanos: u64,
    pub threads: Vec<PlayedThread>,
    pub cpu_nanos: Option<u64>,
    pub jobs: Option<u64>,
    pub pending_bytes: u64,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct PlayedThread {
    pub nanos: u64,
    pub operations: u64,
    pub entries: u64,
    pub read_bytes: u64,
    pub written_bytes: u64,
    pub misses: u64,
    pub wrong: Option<String>,
    pub latencies: Vec<(u64, u64)>,
    pub intervals: Vec<(u64, u64, u64)>,
    pub responses: Vec<(u64, u64)>,
    pub lateness: Vec<(u64, u64)>,
    pub unstarted: u64,
}

/// What the threads of a task share.
struct Player<'a> {
    store: &'a dyn Store,
    seconds: f64,
    /// Threads that are no background load.
    running: AtomicUsize,
    over: AtomicBool,
}

pub fn play(store: &dyn Store, task: &Task, values: &[u8]) -> Res<Played> {
    let calls: Vec<Vec<Call>> = task
        .threads
        .iter()
        .map(|each| trace::read(&each.trace, values))
        .collect::<Res<_>>()?;
    play_calls(store, task, &calls)
}

/// Plays the calls of each thread of a task.
pub fn play_calls(store: &dyn Store, task: &Task, calls: &[Vec<Call>]) -> Res<Played> {
    let player = Player {
        store,
        seconds: task.seconds,
        running: AtomicUsize::new(task.threads.iter().filter(|each| !each.background).count()),
        over: AtomicBool::new(false),
    };
    let start = Barrier::new(calls.len());
    let before = cpu_nanos();
    let ended: Vec<Res<Worker>> = thread::scope(|scope| {
        let handles: Vec<_> = task
            .threads
            .iter()
            .zip(calls)
            .map(|(given, calls)| {
                let (player, start) = (&player, &start);
                scope.spawn(move || {
                    let worker = Worker::new(player, given, calls);
                    start.wait();
                    let mut worker = worker?;
                    worker.origin = Instant::now();
                    worker.run().map(|()| worker)
                })
            })
            .collect();
        let join = |handle: thread::ScopedJoinHandle<_>| handle.join().expect("panics abort");
        handles.into_iter().map(join).collect()
    });
    let mut answer = Played {
        cpu_nanos: Some(cpu_nanos() - before),
        ..Played::default()
    };
    for worker in ended {
        let worker = worker?;
        if !worker.given.background {
            answer.nanos = answer.nanos.max(worker.ended);
        }
        answer.cpu_nanos = answer
            .cpu_nanos
            .map(|all| all.saturating_sub(worker.checking));
        answer.threads.push(worker.answer());
    }
    Ok(answer)
}

/// Processor time of the process.
fn cpu_nanos() -> u64 {
    let mut used = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: it writes to what it is given
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut used) };
    used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64
}

/// What a call has brought.
#[derive(Default)]
struct Outcome {
    value: Option<Vec<u8>>,
    values: Vec<Option<Vec<u8>>>,
    entries: Vec<(Vec<u8>, Vec<u8>)>,
    count: u64,
    bytes: u64,
}

/// Counts durations, exact to 1 in 1,024.
#[derive(Default)]
pub struct Histogram(HashMap<u64, u64>);

impl Histogram {
    pub fn add(&mut self, nanos: u64) {
        let shift = (u64::BITS - nanos.leading_zeros()).saturating_sub(11);
        *self.0.entry(nanos >> shift << shift).or_default() += 1;
    }

    pub fn pairs(self) -> Vec<(u64, u64)> {
        self.0.into_iter().collect()
    }
}

/// Plays one trace.
struct Worker<'a> {
    player: &'a Player<'a>,
    given: &'a ThreadTask,
    /// Has the number of calls that have returned.
    acknowledged: Option<File>,
    calls: &'a [Call<'a>],
    /// The arguments of calls of several operations, made before they are timed.
    batches: Vec<Vec<Entry<'a>>>,
    keys: Vec<Vec<&'a [u8]>>,
    origin: Instant,
    done: usize,
    called: u64,
    played: PlayedThread,
    latency: Histogram,
    response: Histogram,
    lateness: Histogram,
    /// Nanoseconds, untimed.
    checking: u64,
    /// After the beginning.
    ended: u64,
}

impl<'a> Worker<'a> {
    fn new(player: &'a Player<'a>, given: &'a ThreadTask, calls: &'a [Call<'a>]) -> Res<Self> {
        let path = given.acknowledge.as_ref();
        Ok(Worker {
            player,
            given,
            acknowledged: path.map(File::create).transpose()?,
            calls,
            batches: calls.iter().map(batch).collect(),
            keys: calls.iter().map(keys).collect(),
            origin: Instant::now(),
            done: 0,
            called: 0,
            played: PlayedThread::default(),
            latency: Histogram::default(),
            response: Histogram::default(),
            lateness: Histogram::default(),
            checking: 0,
            ended: 0,
        })
    }

    fn now(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    fn limit(&self) -> u64 {
        match self.player.seconds {
            0.0 => u64::MAX / 2,
            seconds => (seconds * 1e9) as u64,
        }
    }

    fn over(&self) -> bool {
        self.player.over.load(SeqCst)
    }

    fn run(&mut self) -> Res<()> {
        if self.given.period > 0.0 {
            self.run_at_rate()?;
        } else {
            while self.done < self.calls.len() && !self.over() && self.played.nanos < self.limit() {
                self.run_block()?;
            }
        }
        let at_rate_beside = self.given.background && self.given.period > 0.0;
        let last = !self.given.background && self.player.running.fetch_sub(1, SeqCst) == 1;
        if last || (self.player.seconds > 0.0 && !at_rate_beside) {
            self.player.over.store(true, SeqCst);
        }
        self.ended = self.now();
        Ok(())
    }

    /// Runs calls one after the other, and then checks what they brought. Each
    /// reading of the clock ends a call and begins the next.
    fn run_block(&mut self) -> Res<()> {
        let calls = &self.calls[self.done..self.calls.len().min(self.done + BLOCK)];
        let mut outcomes = Vec::with_capacity(calls.len());
        let mut latencies = Vec::with_capacity(calls.len());
        let begin = self.now();
        let deadline = begin + (self.limit() - self.played.nanos);
        let mut before = begin;
        let mut results = 0;
        for number in self.done..self.done + calls.len() {
            let outcome = self.call(number)?;
            let now = self.now();
            latencies.push(now - before);
            before = now;
            results += outcome.bytes + outcome.value.as_ref().map_or(0, |it| it.len() as u64);
            outcomes.push(outcome);
            if now > deadline || results > BLOCK_BYTES || self.over() {
                break;
            }
        }
        self.played.nanos += before - begin;
        self.account(&calls[..latencies.len()], &outcomes, &latencies, begin);
        drop(outcomes);
        self.checking += self.now() - before;
        Ok(())
    }

    /// Begins each call when it is due, or as soon as the one before has ended.
    fn run_at_rate(&mut self) -> Res<()> {
        let limit = self.limit();
        for number in 0..self.calls.len() {
            let offset = (self.given.first + number as f64 * self.given.period) as u64;
            let due = offset + SOON_NANOS;
            if offset >= limit || self.over() {
                break;
            }
            let now = self.now();
            if now > limit.saturating_add(SOON_NANOS) {
                self.played.unstarted += 1; // whoever waits for it still does
                self.response.add(limit - offset);
                continue;
            }
            let free = now < due;
            if free {
                self.wait(due);
                if self.given.background && self.over() {
                    break;
                }
            }
            let begin = self.now();
            let outcome = self.call(number)?;
            let end = self.now();
            self.played.nanos += end - begin;
            self.response.add(end - due.min(end));
            if free {
                self.lateness.add(begin - due);
            }
            let calls = &self.calls[number..=number];
            self.account(calls, &[outcome], &[end - begin], begin);
            self.checking += self.now() - end;
        }
        Ok(())
    }

    /// Sleeps while there is time to spare, and spins for the last stretch.
    fn wait(&self, due: u64) {
        loop {
            match due.saturating_sub(self.now()) {
                0 => return,
                left if left > SPIN_NANOS => thread::sleep(Duration::from_nanos(left - SPIN_NANOS)),
                _ => thread::yield_now(),
            }
        }
    }

    /// Makes one call: what a program would write.
    fn call(&mut self, number: usize) -> Res<Outcome> {
        let call = &self.calls[number];
        let store = self.player.store;
        let first = &call.steps[0];
        let mut outcome = Outcome::default();
        match (first.kind, &call.steps[..]) {
            (Kind::Get, [_]) => outcome.value = store.get(&first.key)?,
            (Kind::Get, [_, put]) if put.kind == Kind::Put => {
                outcome.value = store.get(&first.key)?;
                store.put(&first.key, put.value.unwrap_or_default())?;
            }
            (Kind::Get, _) => outcome.values = store.get_many(&self.keys[number])?,
            (Kind::Scan, _) => scan(store, first, &mut outcome)?,
            _ if call.bounded => store.write(&self.batches[number])?,
            (Kind::Put, _) => store.put(&first.key, first.value.unwrap_or_default())?,
            (Kind::Delete, _) => store.delete(&first.key)?,
        }
        if let Some(file) = &self.acknowledged {
            self.called += 1;
            file.write_all_at(format!("{}\n", self.called).as_bytes(), 0)?;
        }
        Ok(outcome)
    }

    /// Counts and checks calls that have ended; untimed.
    fn account(&mut self, calls: &[Call], outcomes: &[Outcome], latencies: &[u64], begin: u64) {
        let (mut operations, mut busy, mut at) = (0, 0, begin);
        for (i, call) in calls.iter().enumerate() {
            self.latency.add(latencies[i]);
            busy += latencies[i];
            at += latencies[i];
            operations += call.operations();
            if busy >= INTERVAL_NANOS || i + 1 == calls.len() {
                self.played.intervals.push((at, operations, busy));
                (operations, busy) = (0, 0);
            }
            self.played.operations += call.operations();
            self.check(call, &outcomes[i]);
        }
        self.done += calls.len();
    }

    fn check(&mut self, call: &Call, outcome: &Outcome) {
        let first = &call.steps[0];
        if first.kind == Kind::Scan {
            self.check_scan(first, outcome);
            return;
        }
        let mut values = outcome.values.iter();
        let several = !outcome.values.is_empty();
        for step in &call.steps {
            if step.kind == Kind::Get {
                let found = if several {
                    values.next().and_then(Option::as_deref)
                } else {
                    outcome.value.as_deref()
                };
                self.check_get(step, found);
            } else {
                self.played.entries += 1;
                let value = step.value.map_or(0, <[u8]>::len);
                self.played.written_bytes += (step.key.len() + value) as u64;
            }
        }
        if first.kind == Kind::Get && call.steps.get(1).is_some_and(|it| it.kind == Kind::Put) {
            self.played.read_bytes -= first.key.len() as u64; // it counts once
        }
    }

    fn check_get(&mut self, step: &Operation, found: Option<&[u8]>) {
        self.played.entries += 1;
        self.played.read_bytes += (step.key.len() + found.map_or(0, <[u8]>::len)) as u64;
        match (step.hit, found, step.value) {
            (false, Some(_), _) => {
                self.wrong(|| format!("key {} was read after it had been deleted", hex(&step.key)))
            }
            (true, None, _) => self.played.misses += 1,
            (true, Some(found), Some(value)) if found != value => {
                self.wrong(|| format!("key {} gave other bytes than were written", hex(&step.key)))
            }
            _ => {}
        }
    }

    fn check_scan(&mut self, step: &Operation, outcome: &Outcome) {
        if step.limit.is_some() && step.hit {
            match outcome.entries.first() {
                Some((key, value)) if *key == step.key => {
                    if step.value.is_some_and(|all| !all.starts_with(value)) {
                        self.wrong(|| {
                            let key = hex(&step.key);
                            format!("a scan from key {key} gave other bytes than were written")
                        });
                    }
                }
                _ => self.played.misses += 1,
            }
        }
        self.played.entries += outcome.count;
        self.played.read_bytes += outcome.bytes;
        if let Some(expected) = step.count.filter(|expected| *expected != outcome.count) {
            let found = outcome.count;
            self.wrong(|| format!("a scan found {found} entries where there are {expected}"));
        }
    }

    fn wrong(&mut self, what: impl FnOnce() -> String) {
        self.played.wrong.get_or_insert_with(what);
    }

    fn answer(self) -> PlayedThread {
        PlayedThread {
            latencies: self.latency.pairs(),
            responses: self.response.pairs(),
            lateness: self.lateness.pairs(),
            ..self.played
        }
    }
}

/// Brings keys and values into memory of the program's own; without a limit it
/// counts them.
fn scan(store: &dyn Store, step: &Operation, outcome: &mut Outcome) -> Res<()> {
    outcome.entries.reserve(step.limit.unwrap_or_default());
    store.scan(&step.key, &mut |key, value| {
        let copied = (key.to_vec(), value.to_vec());
        outcome.count += 1;
        outcome.bytes += (key.len() + value.len()) as u64;
        if step.limit.is_some() {
            outcome.entries.push(copied);
        } else {
            std::hint::black_box(copied);
        }
        step.limit.is_none_or(|limit| outcome.count < limit as u64)
    })
}

fn hex(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn batch<'a>(call: &'a Call) -> Vec<Entry<'a>> {
    let writes = call.bounded && call.steps[0].kind != Kind::Get;
    let steps = call.steps.iter().filter(|_| writes);
    steps
        .map(|step| Entry {
            key: &step.key,
            value: step.value,
        })
        .collect()
}

fn keys<'a>(call: &'a Call) -> Vec<&'a [u8]> {
    let reads = call.bounded && call.steps[0].kind == Kind::Get;
    call.steps
        .iter()
        .filter(|_| reads)
        .map(|step| &step.key[..])
        .collect()
}
