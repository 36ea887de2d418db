//! fjall: one keyspace.

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use crate::Task;
use crate::store::{Engine, Entry, Res, Store, Visit};

/// Without a call of `persist`, the journal is in the page cache when a write
/// returns (`PersistMode::Buffer`): a kill takes nothing.
pub fn engine() -> Engine {
    let levels = [
        ("process", "PersistMode::Buffer"),
        ("power", "PersistMode::SyncAll"),
        ("engine-default", "PersistMode::Buffer"),
    ];
    Engine {
        home: "https://github.com/fjall-rs/fjall",
        ..Engine::new("fjall", "fjall", "3.1.13", &levels, open)
    }
}

struct Fjall {
    database: Database,
    entries: Keyspace,
    syncs: bool,
}

fn open(task: &Task) -> Res<Box<dyn Store>> {
    let database = Database::builder(&task.directory).open()?;
    let entries = database.keyspace("entries", KeyspaceCreateOptions::default)?;
    Ok(Box::new(Fjall {
        database,
        entries,
        syncs: task.durability == "power",
    }))
}

impl Fjall {
    fn ended(&self) -> Res<()> {
        if self.syncs {
            self.database.persist(PersistMode::SyncAll)?;
        }
        Ok(())
    }
}

impl Store for Fjall {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        Ok(self.entries.get(key)?.map(|value| value.to_vec()))
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        self.entries.insert(key, value)?;
        self.ended()
    }

    fn delete(&self, key: &[u8]) -> Res<()> {
        self.entries.remove(key)?;
        self.ended()
    }

    fn write(&self, batch: &[Entry]) -> Res<()> {
        let mut writes = self.database.batch();
        for entry in batch {
            match entry.value {
                Some(value) => writes.insert(&self.entries, entry.key, value),
                None => writes.remove(&self.entries, entry.key),
            }
        }
        writes.commit()?;
        self.ended()
    }

    fn scan(&self, from: &[u8], visit: Visit) -> Res<()> {
        for entry in self.entries.range(from..) {
            let (key, value) = entry.into_inner()?;
            if !visit(&key, &value) {
                break;
            }
        }
        Ok(())
    }

    fn background(&self) -> Option<(u64, u64)> {
        let jobs = self.database.active_compactions() + self.database.outstanding_flushes();
        Some((jobs as u64, 0))
    }

    fn close(self: Box<Self>) -> Res<()> {
        Ok(self.database.persist(PersistMode::SyncAll)?)
    }
}
