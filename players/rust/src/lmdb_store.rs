//! LMDB through heed: each call is a transaction of its own.

use std::ops::Bound;

use heed::{Database, Env, EnvFlags, EnvOpenOptions, types::Bytes};

use crate::Task;
use crate::store::{CAPABILITIES, Engine, Entry, Res, Store, Visit};

pub fn engine() -> Engine {
    let levels = [
        ("process", "MDB_NOSYNC"),
        ("consistent", "MDB_NOMETASYNC"),
        ("power", "none of MDB_NOSYNC, MDB_NOMETASYNC"),
        ("engine-default", "none of MDB_NOSYNC, MDB_NOMETASYNC"),
    ];
    let version = heed::lmdb_version().string.split([' ', ':']).nth(1); // of "LMDB 0.9.70: (…)"
    Engine {
        binding: Some("heed 0.22.1"),
        licence: "OLDAP-2.8",
        home: "https://symas.com/lmdb",
        capabilities: CAPABILITIES,
        ..Engine::new("lmdb", "LMDB", version.unwrap_or_default(), &levels, open)
    }
}

struct Lmdb(Env, Database<Bytes, Bytes>);

fn open(task: &Task) -> Res<Box<dyn Store>> {
    let flags = match (task.read_only(), task.durability.as_str()) {
        (true, _) => EnvFlags::READ_ONLY,
        (_, "process") => EnvFlags::NO_SYNC,
        (_, "consistent") => EnvFlags::NO_META_SYNC,
        _ => EnvFlags::empty(),
    };
    // SAFETY: nobody else writes to its directory
    let env = unsafe {
        EnvOpenOptions::new()
            .map_size(1 << 40)
            .flags(flags)
            .open(&task.directory)?
    };
    let entries = if task.read_only() {
        let transaction = env.read_txn()?;
        let entries = env.open_database(&transaction, None)?;
        transaction.commit()?;
        entries.ok_or("there is no store")?
    } else {
        let mut transaction = env.write_txn()?;
        let entries = env.create_database(&mut transaction, None)?;
        transaction.commit()?;
        entries
    };
    Ok(Box::new(Lmdb(env, entries)))
}

impl Store for Lmdb {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        let transaction = self.0.read_txn()?;
        Ok(self.1.get(&transaction, key)?.map(<[u8]>::to_vec))
    }

    fn get_many(&self, keys: &[&[u8]]) -> Res<Vec<Option<Vec<u8>>>> {
        let transaction = self.0.read_txn()?;
        let get = |key: &&[u8]| Ok(self.1.get(&transaction, key)?.map(<[u8]>::to_vec));
        keys.iter().map(get).collect()
    }

    fn write(&self, batch: &[Entry]) -> Res<()> {
        let mut transaction = self.0.write_txn()?;
        for entry in batch {
            match entry.value {
                Some(value) => self.1.put(&mut transaction, entry.key, value)?,
                None => drop(self.1.delete(&mut transaction, entry.key)?),
            }
        }
        Ok(transaction.commit()?)
    }

    fn scan(&self, from: &[u8], visit: Visit) -> Res<()> {
        let transaction = self.0.read_txn()?;
        let begin = match from {
            [] => Bound::Unbounded, // the library takes no empty key
            _ => Bound::Included(from),
        };
        let range = (begin, Bound::Unbounded);
        for entry in self.1.range(&transaction, &range)? {
            let (key, value) = entry?;
            if !visit(key, value) {
                break;
            }
        }
        Ok(())
    }

    fn close(self: Box<Self>) -> Res<()> {
        self.0.prepare_for_closing().wait();
        Ok(())
    }
}
