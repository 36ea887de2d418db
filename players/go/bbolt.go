package main

import (
	"bytes"
	"path/filepath"

	"go.etcd.io/bbolt"
)

var bboltEngine = engine{
	Name: "bbolt", Title: "bbolt", module: "go.etcd.io/bbolt",
	Licence: "MIT", Home: "https://github.com/etcd-io/bbolt",
	Capabilities: whatPersistentStoresCan(),
	// without NoSync each commit ends with fdatasync; what NoSync leaves in the
	// page cache survives a kill
	Durability: map[string]string{
		"process":        "NoSync=true",
		"power":          "NoSync=false",
		"engine-default": "NoSync=false",
	},
	Options: map[string][]string{"freelist": {"array", "hashmap"}},
	Tries:   map[string][]string{"freelist": {"hashmap"}},
	open:    openBbolt,
}

var bucket = []byte("entries")

// Each call is a transaction of its own.
type bboltStore struct{ db *bbolt.DB }

func openBbolt(options storeOptions) (store, error) {
	settings := *bbolt.DefaultOptions
	settings.NoSync = options.durability == "process"
	settings.ReadOnly = options.readOnly
	if options.own["freelist"] == "hashmap" {
		settings.FreelistType = bbolt.FreelistMapType
	}
	db, err := bbolt.Open(filepath.Join(options.directory, "store.bbolt"), 0o600, &settings)
	if err != nil || options.readOnly {
		return bboltStore{db}, err
	}
	return bboltStore{db}, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
}

func (s bboltStore) Get(key []byte) (value []byte, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		value = bytes.Clone(tx.Bucket(bucket).Get(key))
		return nil
	})
	return value, err
}

func (s bboltStore) GetMany(keys [][]byte) ([][]byte, error) {
	values := make([][]byte, len(keys))
	return values, s.db.View(func(tx *bbolt.Tx) error {
		entries := tx.Bucket(bucket)
		for i, key := range keys {
			values[i] = bytes.Clone(entries.Get(key))
		}
		return nil
	})
}

func (s bboltStore) Put(key, value []byte) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Put(key, value) })
}

func (s bboltStore) Delete(key []byte) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Delete(key) })
}

func (s bboltStore) Write(batch []entry) error {
	return s.db.Update(func(tx *bbolt.Tx) (err error) {
		entries := tx.Bucket(bucket)
		for i := 0; i < len(batch) && err == nil; i++ {
			if batch[i].value == nil {
				err = entries.Delete(batch[i].key)
			} else {
				err = entries.Put(batch[i].key, batch[i].value)
			}
		}
		return err
	})
}

func (s bboltStore) Scan(from []byte, visit func(key, value []byte) bool) error {
	return s.db.View(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(bucket).Cursor()
		for key, value := cursor.Seek(from); key != nil && visit(key, value); {
			key, value = cursor.Next()
		}
		return nil
	})
}

func (s bboltStore) Close() error { return s.db.Close() }
