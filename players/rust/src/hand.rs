//! Compares this player with loops by hand, on the same store and keys: see
//! benchmarks/players.sh. Prints lines such as "lmdb get hand 123".

use std::hint::black_box;
use std::ops::Bound;
use std::time::Instant;

use heed::types::Bytes;
use redb::ReadableDatabase;

use crate::play::play_calls;
use crate::store::{self, Entry, Res};
use crate::tests::Folder;
use crate::trace::{Call, Kind, Operation};
use crate::{Task, ThreadTask};

const RECORDS: usize = 100_000;
const SCANNED: usize = 100;
const VALUE: [u8; 400] = [b'0'; 400];
const TURNS: usize = 3;

/// A program's own calls, which end when they are dropped.
trait Hand {
    fn get(&self, key: &[u8]) -> Res<Vec<u8>>;
    fn put(&self, key: &[u8], value: &[u8]) -> Res<()>;
    fn scan(&self, from: &[u8]) -> Res<Vec<(Vec<u8>, Vec<u8>)>>;
}

struct ByHeed(heed::Env, heed::Database<Bytes, Bytes>);

impl ByHeed {
    fn open(directory: &str) -> Res<Box<dyn Hand>> {
        let mut options = heed::EnvOpenOptions::new();
        options.map_size(1 << 40);
        // SAFETY: nobody else writes to its directory
        let env = unsafe { options.flags(heed::EnvFlags::NO_SYNC).open(directory)? };
        let transaction = env.read_txn()?;
        let entries = env.open_database(&transaction, None)?;
        transaction.commit()?;
        Ok(Box::new(ByHeed(env, entries.ok_or("it is empty")?)))
    }
}

impl Hand for ByHeed {
    fn get(&self, key: &[u8]) -> Res<Vec<u8>> {
        let transaction = self.0.read_txn()?;
        let found = self.1.get(&transaction, key)?;
        Ok(found.ok_or("a miss")?.to_vec())
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        let mut transaction = self.0.write_txn()?;
        self.1.put(&mut transaction, key, value)?;
        Ok(transaction.commit()?)
    }

    fn scan(&self, from: &[u8]) -> Res<Vec<(Vec<u8>, Vec<u8>)>> {
        let transaction = self.0.read_txn()?;
        let range = (Bound::Included(from), Bound::Unbounded);
        let entries = self.1.range(&transaction, &range)?.take(SCANNED);
        let copied = entries.map(|each| each.map(|(key, value)| (key.to_vec(), value.to_vec())));
        Ok(copied.collect::<Result<_, _>>()?)
    }
}

const TABLE: redb::TableDefinition<&[u8], &[u8]> = redb::TableDefinition::new("entries");

struct ByRedb(redb::Database);

impl Hand for ByRedb {
    fn get(&self, key: &[u8]) -> Res<Vec<u8>> {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        let found = table.get(key)?.ok_or("a miss")?;
        Ok(found.value().to_vec())
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        let mut transaction = self.0.begin_write()?;
        transaction.set_durability(redb::Durability::None)?;
        transaction.open_table(TABLE)?.insert(key, value)?;
        Ok(transaction.commit()?)
    }

    fn scan(&self, from: &[u8]) -> Res<Vec<(Vec<u8>, Vec<u8>)>> {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        let entries = table.range(from..)?.take(SCANNED);
        let copied = entries
            .map(|each| each.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())));
        Ok(copied.collect::<Result<_, _>>()?)
    }
}

struct ByFjall(fjall::Keyspace, #[allow(dead_code)] fjall::Database);

impl ByFjall {
    fn open(directory: &str) -> Res<Box<dyn Hand>> {
        let database = fjall::Database::builder(directory).open()?;
        let entries = database.keyspace("entries", fjall::KeyspaceCreateOptions::default)?;
        Ok(Box::new(ByFjall(entries, database)))
    }
}

impl Hand for ByFjall {
    fn get(&self, key: &[u8]) -> Res<Vec<u8>> {
        Ok(self.0.get(key)?.ok_or("a miss")?.to_vec())
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Res<()> {
        Ok(self.0.insert(key, value)?)
    }

    fn scan(&self, from: &[u8]) -> Res<Vec<(Vec<u8>, Vec<u8>)>> {
        let entries = self.0.range(from..).take(SCANNED);
        let copied = entries.map(|each| {
            each.into_inner()
                .map(|(key, value)| (key.to_vec(), value.to_vec()))
        });
        Ok(copied.collect::<Result<_, _>>()?)
    }
}

/// The name of an engine, the level, and how a program opens its store.
type Opening = (&'static str, &'static str, fn(&str) -> Res<Box<dyn Hand>>);

const HANDS: [Opening; 3] = [
    ("fjall", "process", ByFjall::open),
    ("lmdb", "process", ByHeed::open),
    ("redb", "none", |directory| {
        let path = std::path::Path::new(directory).join("store.redb");
        Ok(Box::new(ByRedb(redb::Database::open(path)?)))
    }),
];

/// Numbers that look random, always the same ones (splitmix64).
fn numbers() -> impl Iterator<Item = u64> {
    let step = |at: &u64| Some(at.wrapping_add(0x9e37_79b9_7f4a_7c15));
    std::iter::successors(Some(1_u64), step).map(|at| {
        let mixed = (at ^ (at >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
    })
}

/// Nanoseconds per call of a loop by hand.
fn by_hand(hand: &dyn Hand, kind: Kind, keys: &[&[u8]]) -> Res<f64> {
    let begin = Instant::now();
    for key in keys {
        match kind {
            Kind::Get => drop(black_box(hand.get(key)?)),
            Kind::Scan => drop(black_box(hand.scan(key)?)),
            _ => hand.put(key, &VALUE)?,
        }
    }
    Ok(begin.elapsed().as_nanos() as f64 / keys.len() as f64)
}

/// The same of the player.
fn by_player(task: &Task, kind: Kind, keys: &[&[u8]]) -> Res<f64> {
    let call = |key: &&[u8]| Call {
        steps: vec![Operation {
            kind,
            hit: true,
            key: key.to_vec(),
            value: (kind == Kind::Put).then_some(&VALUE[..]),
            limit: (kind == Kind::Scan).then_some(SCANNED),
            count: None,
        }],
        bounded: false,
    };
    let calls: Vec<Call> = keys.iter().map(call).collect();
    let store = store::open(task)?;
    let played = play_calls(&*store, task, &[calls])?;
    store.close()?;
    assert_eq!(played.threads[0].misses, 0, "{}", task.engine);
    Ok(played.threads[0].nanos as f64 / keys.len() as f64)
}

#[test]
#[ignore = "it measures"]
fn hand() -> Res<()> {
    let key = |number: u64| format!("{number:016x}").into_bytes();
    let keys: Vec<Vec<u8>> = numbers().take(RECORDS).map(key).collect();
    for (engine, level, open) in HANDS {
        let folder = Folder::new(&format!("hand-{engine}"));
        let task = Task {
            engine: engine.into(),
            directory: folder.0.to_string_lossy().into(),
            durability: level.into(),
            threads: vec![ThreadTask::default()],
            ..Task::default()
        };
        let store = store::open(&task)?;
        for some in keys.chunks(1000) {
            let value = Some(&VALUE[..]);
            let entries: Vec<Entry> = some.iter().map(|key| Entry { key, value }).collect();
            store.write(&entries)?;
        }
        store.close()?;
        let shapes = [
            ("get", Kind::Get, 100_000),
            ("put", Kind::Put, 100_000),
            ("scan", Kind::Scan, 4_000),
        ];
        for (name, kind, count) in shapes {
            let chosen: Vec<&[u8]> = numbers()
                .skip(RECORDS)
                .take(count)
                .map(|number| &keys[number as usize % RECORDS][..])
                .collect();
            for _ in 0..TURNS {
                let hand = open(&task.directory)?;
                println!(
                    "{engine} {name} hand {:.1}",
                    by_hand(&*hand, kind, &chosen)?
                );
                drop(hand);
                println!(
                    "{engine} {name} player {:.1}",
                    by_player(&task, kind, &chosen)?
                );
            }
        }
    }
    Ok(())
}
