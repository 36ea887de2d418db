package main

import (
	"errors"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"
)

var goleveldbEngine = engine{
	Name: "goleveldb", Title: "goleveldb", module: "github.com/syndtr/goleveldb",
	Licence: "BSD-2-Clause", Home: "https://github.com/syndtr/goleveldb", Legacy: true,
	Capabilities: whatPersistentStoresCan(),
	// without Sync a write is in the page cache when it returns (opt/options.go)
	Durability: map[string]string{
		"process":        "Sync=false",
		"power":          "Sync=true",
		"engine-default": "Sync=false",
	},
	open: openGoleveldb,
}

type goleveldbStore struct {
	db   *leveldb.DB
	sync *opt.WriteOptions
}

func openGoleveldb(options storeOptions) (store, error) {
	db, err := leveldb.OpenFile(options.directory, &opt.Options{ReadOnly: options.readOnly})
	return goleveldbStore{db, &opt.WriteOptions{Sync: options.durability == "power"}}, err
}

func (s goleveldbStore) Get(key []byte) ([]byte, error) {
	value, err := s.db.Get(key, nil) // a copy
	if errors.Is(err, leveldb.ErrNotFound) {
		return nil, nil
	}
	return value, err
}

func (s goleveldbStore) GetMany(keys [][]byte) ([][]byte, error) { return getEach(s, keys) }

func (s goleveldbStore) Put(key, value []byte) error { return s.db.Put(key, value, s.sync) }

func (s goleveldbStore) Delete(key []byte) error { return s.db.Delete(key, s.sync) }

func (s goleveldbStore) Write(batch []entry) error {
	writes := new(leveldb.Batch)
	for _, each := range batch {
		if each.value == nil {
			writes.Delete(each.key)
		} else {
			writes.Put(each.key, each.value)
		}
	}
	return s.db.Write(writes, s.sync)
}

func (s goleveldbStore) Scan(from []byte, visit func(key, value []byte) bool) error {
	entries := s.db.NewIterator(&util.Range{Start: from}, nil)
	defer entries.Release()
	for entries.Next() && visit(entries.Key(), entries.Value()) {
		continue
	}
	return entries.Error()
}

func (s goleveldbStore) Close() error { return s.db.Close() }
