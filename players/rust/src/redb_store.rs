//! redb: each call is a transaction of its own.

use std::path::Path;

use redb::{Database, Durability, ReadOnlyTable, ReadableDatabase, TableDefinition};

use crate::Task;
use crate::store::{Engine, Entry, Res, Store, Visit};

const ENTRIES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("entries");

/// `Durability::None` keeps commits in memory until the next that is
/// `Immediate`, so that there is no level between none and power.
pub fn engine() -> Engine {
    let levels = [
        ("none", "Durability::None"),
        ("power", "Durability::Immediate"),
        ("engine-default", "Durability::Immediate"),
    ];
    Engine {
        home: "https://www.redb.org",
        ..Engine::new("redb", "redb", "4.6.0", &levels, open)
    }
}

struct Redb {
    database: Database,
    durability: Durability,
}

fn open(task: &Task) -> Res<Box<dyn Store>> {
    let database = Database::create(Path::new(&task.directory).join("store.redb"))?;
    let creation = database.begin_write()?;
    creation.open_table(ENTRIES)?;
    creation.commit()?;
    let durability = match task.durability.as_str() {
        "none" => Durability::None,
        _ => Durability::Immediate,
    };
    Ok(Box::new(Redb {
        database,
        durability,
    }))
}

impl Redb {
    fn table(&self) -> Res<ReadOnlyTable<&'static [u8], &'static [u8]>> {
        Ok(self.database.begin_read()?.open_table(ENTRIES)?)
    }
}

impl Store for Redb {
    fn get(&self, key: &[u8]) -> Res<Option<Vec<u8>>> {
        Ok(self.table()?.get(key)?.map(|value| value.value().to_vec()))
    }

    fn get_many(&self, keys: &[&[u8]]) -> Res<Vec<Option<Vec<u8>>>> {
        let table = self.table()?;
        let get = |key: &&[u8]| Ok(table.get(*key)?.map(|value| value.value().to_vec()));
        keys.iter().map(get).collect()
    }

    fn write(&self, batch: &[Entry]) -> Res<()> {
        let mut transaction = self.database.begin_write()?;
        transaction.set_durability(self.durability)?;
        {
            let mut table = transaction.open_table(ENTRIES)?;
            for entry in batch {
                match entry.value {
                    Some(value) => drop(table.insert(entry.key, value)?),
                    None => drop(table.remove(entry.key)?),
                }
            }
        }
        Ok(transaction.commit()?)
    }

    fn scan(&self, from: &[u8], visit: Visit) -> Res<()> {
        for entry in self.table()?.range(from..)? {
            let (key, value) = entry?;
            if !visit(key.value(), value.value()) {
                break;
            }
        }
        Ok(())
    }

    fn close(self: Box<Self>) -> Res<()> {
        Ok(self.database.close()?)
    }
}
