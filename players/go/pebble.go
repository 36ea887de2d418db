package main

import (
	"errors"
	"strconv"

	"github.com/cockroachdb/pebble/v2"
)

var pebbleEngine = engine{
	Name: "pebble", Title: "Pebble", module: "github.com/cockroachdb/pebble/v2",
	Licence: "BSD-3-Clause", Home: "https://github.com/cockroachdb/pebble",
	Capabilities: whatPersistentStoresCan(),
	// NoSync buffers the log inside the process (options.go): a kill loses it, so
	// that there is no level between none and power
	Durability: map[string]string{
		"none":           "NoSync",
		"power":          "Sync",
		"engine-default": "Sync",
	},
	Options: map[string][]string{"cache_mb": {"8", "64", "512"}},
	Tries:   map[string][]string{"cache_mb": {"64", "512"}},
	open:    openPebble,
}

type pebbleStore struct {
	db   *pebble.DB
	sync *pebble.WriteOptions
}

// quiet says only what is wrong.
type quiet struct{ pebble.Logger }

func (quiet) Infof(string, ...any) {}

func openPebble(options storeOptions) (store, error) {
	megabytes, _ := strconv.ParseInt(options.own["cache_mb"], 10, 64) // 0: the default
	settings := &pebble.Options{
		CacheSize:          megabytes << 20,
		FormatMajorVersion: pebble.FormatNewest,
		Logger:             quiet{pebble.DefaultLogger},
		ReadOnly:           options.readOnly,
	}
	db, err := pebble.Open(options.directory, settings)
	return pebbleStore{db, &pebble.WriteOptions{Sync: options.durability != "none"}}, err
}

func (s pebbleStore) Get(key []byte) ([]byte, error) {
	value, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	copied := append(make([]byte, 0, len(value)), value...) // not nil if it is empty
	return copied, closer.Close()
}

func (s pebbleStore) GetMany(keys [][]byte) ([][]byte, error) { return getEach(s, keys) }

func (s pebbleStore) Put(key, value []byte) error { return s.db.Set(key, value, s.sync) }

func (s pebbleStore) Delete(key []byte) error { return s.db.Delete(key, s.sync) }

func (s pebbleStore) Write(batch []entry) (err error) {
	writes := s.db.NewBatch()
	for i := 0; i < len(batch) && err == nil; i++ {
		if batch[i].value == nil {
			err = writes.Delete(batch[i].key, nil)
		} else {
			err = writes.Set(batch[i].key, batch[i].value, nil)
		}
	}
	if err != nil {
		return errors.Join(err, writes.Close())
	}
	return writes.Commit(s.sync)
}

func (s pebbleStore) Scan(from []byte, visit func(key, value []byte) bool) error {
	entries, err := s.db.NewIter(&pebble.IterOptions{LowerBound: from})
	if err != nil {
		return err
	}
	for entries.First(); entries.Valid(); entries.Next() {
		value, err := entries.ValueAndErr()
		if err != nil || !visit(entries.Key(), value) {
			return errors.Join(err, entries.Close())
		}
	}
	return errors.Join(entries.Error(), entries.Close())
}

func (s pebbleStore) Background() (jobs int, pendingBytes int64) {
	now := s.db.Metrics()
	return int(now.Compact.NumInProgress + now.Flush.NumInProgress), int64(now.Compact.EstimatedDebt)
}

func (s pebbleStore) Close() error { return s.db.Close() }
