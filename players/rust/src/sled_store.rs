//! sled: the default tree.

use crate::Task;
use crate::store::{Engine, Entry, Res, Store, Visit};

/// At none only: a write is in memory for up to 500 ms, and `flush` was seen to
/// lose writes at a power cut (docs/field.md).
pub fn engine() -> Engine {
    let levels = [
        ("none", "flush_every_ms=500"),
        ("engine-default", "flush_every_ms=500"),
    ];
    Engine {
        home: "https://sled.rs",
        ..Engine::new("sled", "sled", "0.34.7", &levels, open)
    }
}

struct Sled(sled::Db);

fn open(task: &Task) -> Res<Box<dyn Store>> {
    Ok(Box::new(Sled(sled::open(&task.directory)?)))
}

impl Store for Sled {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        Ok(self.0.get(key)?.map(|value| value.to_vec()))
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        self.0.insert(key, value)?;
        Ok(())
    }

    fn delete(&self, key: &[u8]) -> Res<()> {
        self.0.remove(key)?;
        Ok(())
    }

    fn write(&self, batch: &[Entry]) -> Res<()> {
        let mut writes = sled::Batch::default();
        for entry in batch {
            match entry.value {
                Some(value) => writes.insert(entry.key, value),
                None => writes.remove(entry.key),
            }
        }
        Ok(self.0.apply_batch(writes)?)
    }

    fn scan(&self, from: &[u8], visit: Visit) -> Res<()> {
        for entry in self.0.range(from..) {
            let (key, value) = entry?;
            if !visit(&key, &value) {
                break;
            }
        }
        Ok(())
    }

    fn close(self: Box<Self>) -> Res<()> {
        self.0.flush()?;
        Ok(())
    }
}
