package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/dgraph-io/badger/v4"
	"go.etcd.io/bbolt"
)

const (
	records = 20_000
	scanned = 100
)

// By hand: what somebody writes who measures one store.
type byHand struct {
	level string
	get   func(s store, key []byte) []byte
	put   func(s store, key, value []byte) error
	scan  func(s store, from []byte) []entry
}

func copied(key, value []byte) entry { return entry{bytes.Clone(key), bytes.Clone(value)} }

var hands = map[*engine]byHand{
	&bboltEngine: {
		level: "process",
		get: func(s store, key []byte) (value []byte) {
			_ = s.(bboltStore).db.View(func(tx *bbolt.Tx) error {
				value = bytes.Clone(tx.Bucket(bucket).Get(key))
				return nil
			})
			return value
		},
		put: func(s store, key, value []byte) error {
			return s.(bboltStore).db.Update(func(tx *bbolt.Tx) error {
				return tx.Bucket(bucket).Put(key, value)
			})
		},
		scan: func(s store, from []byte) (found []entry) {
			_ = s.(bboltStore).db.View(func(tx *bbolt.Tx) error {
				cursor := tx.Bucket(bucket).Cursor()
				for k, v := cursor.Seek(from); k != nil && len(found) < scanned; k, v = cursor.Next() {
					found = append(found, copied(k, v))
				}
				return nil
			})
			return found
		},
	},
	&pebbleEngine: {
		level: "none",
		get: func(s store, key []byte) []byte {
			value, closer, err := s.(pebbleStore).db.Get(key)
			if err != nil {
				return nil
			}
			defer closer.Close()
			return bytes.Clone(value)
		},
		put: func(s store, key, value []byte) error {
			return s.(pebbleStore).db.Set(key, value, pebble.NoSync)
		},
		scan: func(s store, from []byte) (found []entry) {
			entries, err := s.(pebbleStore).db.NewIter(&pebble.IterOptions{LowerBound: from})
			if err != nil {
				return nil
			}
			defer entries.Close()
			for entries.First(); entries.Valid() && len(found) < scanned; entries.Next() {
				found = append(found, copied(entries.Key(), entries.Value()))
			}
			return found
		},
	},
	&badgerEngine: {
		level: "process",
		get: func(s store, key []byte) (value []byte) {
			_ = s.(badgerStore).db.View(func(txn *badger.Txn) error {
				item, err := txn.Get(key)
				if err == nil {
					value, err = item.ValueCopy(nil)
				}
				return err
			})
			return value
		},
		put: func(s store, key, value []byte) error {
			return s.(badgerStore).db.Update(func(txn *badger.Txn) error { return txn.Set(key, value) })
		},
		scan: func(s store, from []byte) (found []entry) {
			settings := badger.DefaultIteratorOptions
			settings.PrefetchValues = false
			_ = s.(badgerStore).db.View(func(txn *badger.Txn) error {
				entries := txn.NewIterator(settings)
				defer entries.Close()
				for entries.Seek(from); entries.Valid() && len(found) < scanned; entries.Next() {
					value, err := entries.Item().ValueCopy(nil)
					if err != nil {
						return err
					}
					found = append(found, entry{entries.Item().KeyCopy(nil), value})
				}
				return nil
			})
			return found
		},
	},
}

// BenchmarkHand compares this player with loops by hand, on the same store and
// the same keys: ns/call of each pair should be within 25 %.
func BenchmarkHand(b *testing.B) {
	for e, hand := range hands {
		directory := b.TempDir()
		s, keys, value := filledStore(b, e, storeOptions{directory, hand.level, false, nil})
		hit := func() []byte { return keys[rand.IntN(records)] }
		compare(b, e.Name+"/get", s,
			func() operation { return operation{kind: kindGet, hit: true, key: hit()} },
			func(o operation) bool { return hand.get(s, o.key) != nil })
		compare(b, e.Name+"/scan", s,
			func() operation { return operation{kind: kindScan, hit: true, key: hit(), limit: scanned, count: -1} },
			func(o operation) bool { return hand.scan(s, o.key) != nil })
		compare(b, e.Name+"/put", s,
			func() operation { return operation{kind: kindPut, key: hit(), value: value} },
			func(o operation) bool { return hand.put(s, o.key, o.value) == nil })
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// filledStore is a store of entries that was closed and opened again.
func filledStore(b *testing.B, e *engine, options storeOptions) (s store, keys [][]byte, value []byte) {
	value = bytes.Repeat([]byte("0123456789"), 40)
	s, err := e.open(options)
	for len(keys) < records && err == nil {
		var batch []entry
		for range 1000 {
			keys = append(keys, fmt.Appendf(nil, "%016x", rand.Uint64()))
			batch = append(batch, entry{keys[len(keys)-1], value})
		}
		err = s.Write(batch)
	}
	err = errors.Join(err, s.Close())
	if err == nil {
		s, err = e.open(options)
	}
	if err != nil {
		b.Fatal(err)
	}
	return s, keys, value
}

func compare(b *testing.B, name string, s store, next func() operation, hand func(operation) bool) {
	b.Run(name+"/hand", func(b *testing.B) {
		operations := make([]operation, b.N)
		for i := range operations {
			operations[i] = next()
		}
		b.ResetTimer()
		for i := range operations {
			if !hand(operations[i]) {
				b.Fatal("it failed")
			}
		}
	})
	b.Run(name+"/player", func(b *testing.B) {
		calls := make([]call, b.N)
		for i := range calls {
			calls[i].steps = []operation{next()}
		}
		t := newThread(&player{store: s, task: &task{}, origin: time.Now()}, threadTask{}, calls)
		b.ResetTimer()
		t.run()
		if t.err != nil || t.played.Misses > 0 {
			b.Fatal(t.err, t.played.Misses)
		}
		b.ReportMetric(float64(t.played.Nanos)/float64(b.N), "ns/op")
	})
}
