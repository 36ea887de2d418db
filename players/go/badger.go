package main

import (
	"errors"

	"github.com/dgraph-io/badger/v4"
)

var badgerEngine = engine{
	Name: "badger", Title: "Badger", module: "github.com/dgraph-io/badger/v4",
	Licence: "Apache-2.0", Home: "https://github.com/dgraph-io/badger",
	Capabilities: whatPersistentStoresCan("bulk-load"),
	// the log is a mapped file, which survives a kill; SyncWrites is msync
	Durability: map[string]string{
		"process":        "SyncWrites=false",
		"power":          "SyncWrites=true",
		"engine-default": "SyncWrites=false",
	},
	open: openBadger,
}

// Each call is a transaction of its own.
type badgerStore struct{ db *badger.DB }

func openBadger(options storeOptions) (store, error) {
	settings := badger.DefaultOptions(options.directory).
		WithLoggingLevel(badger.ERROR).
		WithSyncWrites(options.durability == "power").
		WithReadOnly(options.readOnly)
	db, err := badger.Open(settings)
	return badgerStore{db}, err
}

func get(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return item.ValueCopy(make([]byte, 0, item.ValueSize())) // not nil if it is empty
}

func (s badgerStore) Get(key []byte) (value []byte, err error) {
	err = s.db.View(func(txn *badger.Txn) (err error) {
		value, err = get(txn, key)
		return err
	})
	return value, err
}

func (s badgerStore) GetMany(keys [][]byte) ([][]byte, error) {
	values := make([][]byte, len(keys))
	return values, s.db.View(func(txn *badger.Txn) (err error) {
		for i := 0; i < len(keys) && err == nil; i++ {
			values[i], err = get(txn, keys[i])
		}
		return err
	})
}

func (s badgerStore) Put(key, value []byte) error {
	return s.db.Update(func(txn *badger.Txn) error { return txn.Set(key, value) })
}

func (s badgerStore) Delete(key []byte) error {
	return s.db.Update(func(txn *badger.Txn) error { return txn.Delete(key) })
}

func (s badgerStore) Write(batch []entry) error {
	return s.db.Update(func(txn *badger.Txn) (err error) {
		for i := 0; i < len(batch) && err == nil; i++ {
			if batch[i].value == nil {
				err = txn.Delete(batch[i].key)
			} else {
				err = txn.Set(batch[i].key, batch[i].value)
			}
		}
		return err
	})
}

func (s badgerStore) Scan(from []byte, visit func(key, value []byte) bool) error {
	settings := badger.DefaultIteratorOptions
	settings.PrefetchValues = false // below ValueThreshold they are beside their keys
	return s.db.View(func(txn *badger.Txn) (err error) {
		entries := txn.NewIterator(settings)
		defer entries.Close()
		goesOn := true
		for entries.Seek(from); goesOn && err == nil && entries.Valid(); entries.Next() {
			err = entries.Item().Value(func(value []byte) error {
				goesOn = visit(entries.Item().Key(), value)
				return nil
			})
		}
		return err
	})
}

func (s badgerStore) Close() error { return s.db.Close() }
