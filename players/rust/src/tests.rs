use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::Task;
use crate::play::Histogram;
use crate::store::{self, Entry, Store};

/// A folder that is gone when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("player-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

fn contents(store: &dyn Store) -> (Vec<Vec<u8>>, Entries) {
    let (mut keys, mut all) = (Vec::new(), BTreeMap::new());
    store
        .scan(&[], &mut |key, value| {
            keys.push(key.to_vec());
            all.insert(key.to_vec(), value.to_vec());
            true
        })
        .expect("it scans");
    (keys, all)
}

#[test]
fn stores_read_what_was_written() {
    for engine in store::engines() {
        for level in engine.durability.keys().filter(|_| engine.name != "null") {
            let folder = Folder::new(&format!("{}-{level}", engine.name));
            let task = Task {
                engine: engine.name.into(),
                directory: folder.0.to_string_lossy().into(),
                durability: (*level).into(),
                ..Task::default()
            };
            let store = store::open(&task).expect("it opens");
            let mut model = BTreeMap::new();
            model.insert(b"empty".to_vec(), Vec::new());
            store.put(b"empty", b"").expect("it puts");
            store.put(b"gone", b"x").expect("it puts");
            for i in 0..300 {
                let key = format!("key {i:03}").into_bytes();
                model.insert(key, vec![i as u8; i]);
            }
            let mut batch: Vec<Entry> = model
                .iter()
                .map(|(key, value)| Entry {
                    key,
                    value: Some(value),
                })
                .collect();
            batch.push(Entry {
                key: b"gone",
                value: None,
            });
            store.write(&batch).expect("it writes");
            store.delete(b"key 007").expect("it deletes");
            model.remove(&b"key 007"[..]);

            let keys: [&[u8]; 3] = [b"gone", b"empty", b"key 009"];
            let found = store.get_many(&keys).expect("it gets");
            assert_eq!(
                found,
                [None, Some(vec![]), Some(vec![9; 9])],
                "{}",
                engine.name
            );
            let (keys, all) = contents(&*store);
            assert!(keys.is_sorted(), "{} at {level}", engine.name);
            assert_eq!(all, model, "{} at {level}", engine.name);
            store.close().expect("it closes");
            let again = store::open(&task).expect("it opens again");
            assert_eq!(
                contents(&*again).1,
                model,
                "{} at {level}, reopened",
                engine.name
            );
            again.close().expect("it closes again");
        }
    }
}

#[test]
fn versions_are_those_of_the_manifest() {
    for engine in store::engines() {
        let binding = engine.binding.unwrap_or_default();
        let (name, version) = binding
            .split_once(' ')
            .unwrap_or((engine.name, engine.version));
        let known = include_str!("../Cargo.toml")
            .lines()
            .any(|line| line.starts_with(name) && line.contains(&format!("\"={version}\"")));
        assert!(known || name == "null", "{name} {version}");
    }
}

#[test]
fn histograms_are_exact_to_one_part_in_a_thousand() {
    for nanos in [0, 1, 2047, 2049, 123_456_789] {
        let mut histogram = Histogram::default();
        histogram.add(nanos);
        let found = histogram.pairs()[0].0;
        assert!(
            found <= nanos && nanos - found <= nanos / 1000,
            "{nanos} was counted as {found}"
        );
    }
}
