//! What a store must have, and the engines that there are.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::path::Path;

use serde::Serialize;

use crate::Task;

pub type Res<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Receives keys and values, which may be the store's own memory, until it
/// returns false.
pub type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> bool;

/// A key, and its new value; none deletes it.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    pub key: &'a [u8],
    pub value: Option<&'a [u8]>,
}

/// A store in a directory of its own, at one level of durability. What gets
/// return belongs to the caller. Calls may come from several threads.
pub trait Store: Send + Sync {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>>;

    fn get_many(&self, keys: &[&[u8]]) -> Res<Vec<Option<Vec<u8>>>> {
        keys.iter().map(|key| self.get(key)).collect()
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        let value = Some(value);
        self.write(&[Entry { key, value }])
    }

    fn delete(&self, key: &[u8]) -> Res<()> {
        self.write(&[Entry { key, value: None }])
    }

    /// Applies all or nothing.
    fn write(&self, batch: &[Entry]) -> Res<()>;

    /// Visits entries in the order of their keys, from the first that is not
    /// below `from`.
    fn scan(&self, from: &[u8], visit: Visit) -> Res<()>;

    /// Loads an empty store in bulk, by ascending keys.
    fn load(&self, _entries: &mut dyn Iterator<Item = (&[u8], &[u8])>) -> Res<()> {
        Err("it has no bulk load".into())
    }

    /// What it still does in the background: jobs, and pending bytes.
    fn background(&self) -> Option<(u64, u64)> {
        None
    }

    fn close(self: Box<Self>) -> Res<()>;
}

/// What each store that keeps entries can do, and last what not all of them can.
pub const CAPABILITIES: &[&str] = &[
    "persistent",
    "write",
    "scan",
    "ordered-scan",
    "batch",
    "read-only",
];

/// What Stadium must know to plan trials; see docs/internals/player-protocol.md.
#[derive(Serialize)]
pub struct Engine {
    pub name: &'static str,
    pub title: &'static str,
    pub version: &'static str,
    pub binding: Option<&'static str>,
    pub licence: &'static str,
    pub home: &'static str,
    pub capabilities: &'static [&'static str],
    pub access: [&'static str; 1],
    /// The settings of each level.
    pub durability: BTreeMap<&'static str, &'static str>,
    pub options: BTreeMap<String, Vec<String>>,
    pub legacy: bool,
    #[serde(skip)]
    pub open: fn(&Task) -> Res<Box<dyn Store>>,
}

impl Engine {
    pub fn new(
        name: &'static str,
        title: &'static str,
        version: &'static str,
        durability: &[(&'static str, &'static str)],
        open: fn(&Task) -> Res<Box<dyn Store>>,
    ) -> Self {
        Engine {
            name,
            title,
            version,
            binding: None,
            licence: "MIT OR Apache-2.0",
            home: "",
            capabilities: &CAPABILITIES[..5],
            access: ["single"],
            durability: durability.iter().copied().collect(),
            options: BTreeMap::new(),
            legacy: false,
            open,
        }
    }
}

/// All engines. A new one is a file like redb.rs, and a line here. The versions
/// are those of Cargo.toml, which a test compares.
pub fn engines() -> Vec<Engine> {
    vec![
        crate::fjall_store::engine(),
        crate::lmdb_store::engine(),
        crate::null_store::engine(),
        crate::redb_store::engine(),
        crate::sled_store::engine(),
    ]
}

/// Opens the store that a task names. If there is none it makes one, and syncs
/// the names of its files: a power cut must not take them.
pub fn open(task: &Task) -> Res<Box<dyn Store>> {
    let directory = Path::new(&task.directory);
    let missing = !directory.exists();
    std::fs::create_dir_all(directory)?;
    let engines = engines();
    let engine = engines.iter().find(|each| each.name == task.engine);
    let store = (engine.ok_or("there is no such engine")?.open)(task)?;
    if missing {
        for each in directory.ancestors().take(2) {
            File::open(each)?.sync_all()?;
        }
    }
    Ok(store)
}
