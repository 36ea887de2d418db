package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// contents are all entries of a store, in its order.
func contents(t *testing.T, s store) (keys []string, all map[string]string) {
	t.Helper()
	all = map[string]string{}
	if err := s.Scan(nil, func(key, value []byte) bool {
		keys = append(keys, string(key))
		all[string(key)] = string(value)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return keys, all
}

func eachStore(t *testing.T, test func(t *testing.T, level string, reopen func(readOnly bool) store)) {
	for _, each := range engines {
		for level := range each.Durability {
			if each == &nullEngine {
				continue
			}
			t.Run(each.Name+" "+level, func(t *testing.T) {
				directory := t.TempDir()
				var last store
				reopen := func(readOnly bool) store {
					if last != nil {
						must(t, last.Close())
					}
					opened, err := each.open(storeOptions{directory, level, readOnly, nil})
					must(t, err)
					last = opened
					return opened
				}
				test(t, level, reopen)
				must(t, last.Close())
			})
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestStoresReadWhatWasWritten(t *testing.T) {
	eachStore(t, func(t *testing.T, _ string, reopen func(bool) store) {
		s := reopen(false)
		model := map[string]string{"empty": "", "gone": "x"}
		must(t, s.Put([]byte("empty"), []byte{}))
		must(t, s.Put([]byte("gone"), []byte("x")))
		batch := []entry{{[]byte("gone"), nil}}
		delete(model, "gone")
		for i := range 300 {
			key, value := fmt.Sprintf("key %03d", i), bytes.Repeat([]byte{byte(i)}, i)
			batch = append(batch, entry{[]byte(key), value})
			model[key] = string(value)
		}
		must(t, s.Write(batch))
		must(t, s.Delete([]byte("key 007")))
		delete(model, "key 007")

		for range 2 {
			keys, all := contents(t, s)
			if !slices.IsSorted(keys) || !maps.Equal(all, model) {
				t.Errorf("it has %d entries in the order %q", len(all), keys)
			}
			values, err := s.GetMany([][]byte{[]byte("gone"), []byte("empty"), []byte("key 007"), []byte("key 009")})
			must(t, err)
			if values[0] != nil || values[1] == nil || values[2] != nil || len(values[3]) != 9 {
				t.Errorf("several keys gave %q", values)
			}
			value, err := s.Get([]byte("empty"))
			if err != nil || value == nil || len(value) != 0 {
				t.Errorf("an empty value was %q, %v", value, err)
			}
			s = reopen(true)
		}
		if s.Put([]byte("a"), []byte("b")) == nil {
			t.Error("a store that is open for reading takes a put")
		}
	})
}

func TestValuesBelongToTheCaller(t *testing.T) {
	eachStore(t, func(t *testing.T, _ string, reopen func(bool) store) {
		s := reopen(false)
		key := []byte("key")
		must(t, s.Put(key, []byte("value")))
		value, err := s.Get(key)
		must(t, err)
		copy(value, "VALUE")
		again, err := s.Get(key)
		must(t, err)
		if string(again) != "value" {
			t.Errorf("what Get returned was the store's: %q", again)
		}
	})
}

func TestBulkLoads(t *testing.T) {
	eachStore(t, func(t *testing.T, _ string, reopen func(bool) store) {
		s := reopen(false)
		loads, ok := s.(loader)
		if !ok {
			t.Skip("it has none")
		}
		must(t, loads.Load(func(yield func(key, value []byte) bool) {
			for i := range 50_000 {
				if !yield(fmt.Appendf(nil, "%06d", i), make([]byte, 200)) {
					return
				}
			}
		}))
		keys, _ := contents(t, reopen(false))
		if len(keys) != 50_000 || keys[49_999] != "049999" {
			t.Errorf("a load of 50000 entries left %d", len(keys))
		}
	})
}

func TestATraceThatIsNoneIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no.trace")
	must(t, os.WriteFile(path, []byte("not a trace of operations"), 0o600))
	if _, err := readCalls(path, nil); err == nil {
		t.Error("it was read")
	}
}

func TestHistogramsAreExactToOnePartInAThousand(t *testing.T) {
	for _, nanos := range []int64{0, 1, 2047, 2049, 123_456_789} {
		h := histogram{}
		h.add(nanos)
		if found := h.pairs()[0][0]; nanos-found > nanos/1000 || found > nanos {
			t.Errorf("%d was counted as %d", nanos, found)
		}
	}
}
