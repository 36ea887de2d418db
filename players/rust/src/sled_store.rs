//! sled: the default tree.

use crate::Task;
use crate::store::{Engine, Entry, Res, Store, Visit};

/// Without `flush`, a write is in memory for up to 500 ms. With it, writes were
/// seen to be lost at a power cut (docs/field.md).
pub fn engine() -> Engine {
    let levels = [
        ("none", "flush_every_ms=500"),
        ("power", "flush() after each write"),
        ("engine-default", "flush_every_ms=500"),
    ];
    Engine {
        home: "https://sled.rs",
        ..Engine::new("sled", "sled", "0.34.7", &levels, open)
    }
}

struct Sled(sled::Db, bool);

fn open(task: &Task) -> Res<Box<dyn Store>> {
    let tree = sled::open(&task.directory)?;
    Ok(Box::new(Sled(tree, task.durability == "power")))
}

impl Sled {
    fn ended(&self) -> Res<()> {
        if self.1 {
            self.0.flush()?;
        }
        Ok(())
    }
}

impl Store for Sled {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        Ok(self.0.get(key)?.map(|value| value.to_vec()))
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        self.0.insert(key, value)?;
        self.ended()
    }

    fn delete(&self, key: &[u8]) -> Res<()> {
        self.0.remove(key)?;
        self.ended()
    }

    fn write(&self, batch: &[Entry]) -> Res<()> {
        let mut writes = sled::Batch::default();
        for entry in batch {
            match entry.value {
                Some(value) => writes.insert(entry.key, value),
                None => writes.remove(entry.key),
            }
        }
        self.0.apply_batch(writes)?;
        self.ended()
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
