//! A player of traces for KV Stadium, on stores of Rust; see docs/internals/player-protocol.md.

mod fjall_store;
#[cfg(test)]
mod hand;
mod lmdb_store;
mod null_store;
mod play;
mod redb_store;
mod sled_store;
mod store;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::time::Instant;

use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use serde_json::json;

use play::{Played, PlayedThread};
use store::{Entry, Res, Store};

/// A line of standard input.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Task {
    task: String,
    engine: String,
    directory: String,
    options: HashMap<String, String>,
    durability: String,
    threads: Vec<ThreadTask>,
    values: String,
    seconds: f64,
    entries: String,
    file: String,
}

impl Task {
    fn read_only(&self) -> bool {
        self.options.get("read_only").is_some_and(|it| it == "true")
    }
}

#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub struct ThreadTask {
    trace: String,
    background: bool,
    first: f64,
    period: f64,
    acknowledge: Option<String>,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Res<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["describe"] => say(&json!({
            "type": "hello", "protocol": 3, "language": "rust",
            "version": concat!("rust ", env!("CARGO_PKG_RUST_VERSION"), " or newer"),
            "plays": ["threads", "rate", "background"], "engines": store::engines(),
        })),
        ["play"] => {
            // SAFETY: no handler is installed; the parent decides about an interrupt
            unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
            let mut session = Session { store: None };
            for line in stdin().lock().lines() {
                let task: Task = serde_json::from_str(&line?)?;
                let answer = session.does(&task);
                say(&answer.map_err(|error| format!("{}: {error}", task.task))?)?;
            }
            Ok(())
        }
        _ => Err("give describe or play, and see docs/internals/player-protocol.md".into()),
    }
}

fn say(message: &impl Serialize) -> Res<()> {
    let mut out = stdout().lock();
    writeln!(out, "@stadium {}", serde_json::to_string(message)?)?;
    Ok(out.flush()?)
}

/// Has the store that is open.
struct Session {
    store: Option<Box<dyn Store>>,
}

impl Session {
    fn does(&mut self, task: &Task) -> Res<Played> {
        let begin = Instant::now();
        let mut answer = Played::default();
        match task.task.as_str() {
            "open" => self.store = Some(store::open(task)?),
            "close" => self.store.take().ok_or("there is no store")?.close()?,
            "background" => {
                if let Some((jobs, pending)) = self.store()?.background() {
                    answer.jobs = Some(jobs);
                    answer.pending_bytes = pending;
                }
            }
            "dump" => dump(self.store()?, &task.file)?,
            "load" => return load(self.store()?, &task.entries),
            "play" => return play::play(self.store()?, task, &mapped(&task.values)?),
            "play_opening" => return play::play(&Opening(task), task, &mapped(&task.values)?),
            _ => return Err("there is no such task".into()),
        }
        answer.nanos = begin.elapsed().as_nanos() as u64;
        Ok(answer)
    }

    fn store(&self) -> Res<&dyn Store> {
        Ok(self.store.as_deref().ok_or("there is no store")?)
    }
}

fn mapped(path: &str) -> Res<Mmap> {
    // SAFETY: Stadium only adds to it
    Ok(unsafe { Mmap::map(&File::open(path)?)? })
}

/// A closed store, which each read opens and closes again.
struct Opening<'a>(&'a Task);

const ONLY_READS: &str = "a store that is opened for each operation is only read by key";

impl Store for Opening<'_> {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        let store = store::open(self.0)?;
        let value = store.get(key)?;
        store.close()?;
        Ok(value)
    }

    fn put(&self, _: &[u8], _: &[u8]) -> Res<()> {
        Err(ONLY_READS.into())
    }

    fn delete(&self, _: &[u8]) -> Res<()> {
        Err(ONLY_READS.into())
    }

    fn write(&self, _: &[Entry]) -> Res<()> {
        Err(ONLY_READS.into())
    }

    fn scan(&self, _: &[u8], _: store::Visit) -> Res<()> {
        Err(ONLY_READS.into())
    }

    fn close(self: Box<Self>) -> Res<()> {
        Ok(())
    }
}

// A file of entries has, of each: the lengths of key and value, in four bytes
// each, the key, and the value.

fn dump(store: &dyn Store, path: &str) -> Res<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut failed = Ok(());
    store.scan(&[], &mut |key, value| {
        failed = (|| {
            out.write_all(&(key.len() as u32).to_be_bytes())?;
            out.write_all(&(value.len() as u32).to_be_bytes())?;
            out.write_all(key)?;
            out.write_all(value)
        })();
        failed.is_ok()
    })?;
    failed?;
    Ok(out.flush()?)
}

fn load(store: &dyn Store, path: &str) -> Res<Played> {
    let content = mapped(path)?;
    let mut rest = &content[..];
    let mut thread = PlayedThread::default();
    let begin = Instant::now();
    store.load(&mut std::iter::from_fn(|| {
        let (key, after) = rest.split_first_chunk::<4>()?;
        let (value, after) = after.split_first_chunk::<4>()?;
        let (key, after) = after.split_at(u32::from_be_bytes(*key) as usize);
        let (value, after) = after.split_at(u32::from_be_bytes(*value) as usize);
        rest = after;
        thread.entries += 1;
        thread.operations += 1;
        thread.written_bytes += (key.len() + value.len()) as u64;
        Some((key, value))
    }))?;
    thread.nanos = begin.elapsed().as_nanos() as u64;
    Ok(Played {
        nanos: thread.nanos,
        threads: vec![thread],
        ..Played::default()
    })
}
