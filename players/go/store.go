package main

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// A store is opened in a directory of its own, at one level of durability. What
// it returns from Get and GetMany belongs to the caller. Calls may come from
// several goroutines.
type store interface {
	// Get returns a copy of the value, or nil if there is none.
	Get(key []byte) ([]byte, error)
	// GetMany returns the value of each key, or nil.
	GetMany(keys [][]byte) ([][]byte, error)
	Put(key, value []byte) error
	Delete(key []byte) error
	// Write applies all or nothing.
	Write(batch []entry) error
	// Scan visits entries in the order of their keys, from the first that is not
	// below from, until visit returns false. It may lend its own memory.
	Scan(from []byte, visit func(key, value []byte) bool) error
	Close() error
}

// An entry without a value, which is not an empty value, deletes its key.
type entry struct{ key, value []byte }

// A loader has its own way of loading an empty store in bulk, by ascending keys.
type loader interface {
	Load(entries iter.Seq2[[]byte, []byte]) error
}

// A worker says what it still does in the background.
type worker interface {
	Background() (jobs int, pendingBytes int64)
}

// An engine is what Stadium must know to plan trials; see docs/internals/player-protocol.md.
type engine struct {
	Name         string              `json:"name"`
	Title        string              `json:"title"`
	Version      string              `json:"version"`
	Licence      string              `json:"licence"`
	Home         string              `json:"home"`
	Capabilities []string            `json:"capabilities"`
	Access       []string            `json:"access"`
	Durability   map[string]string   `json:"durability"` // the settings of each level
	Options      map[string][]string `json:"options"`
	Tries        map[string][]string `json:"tries,omitempty"` // what may be faster than the default
	Legacy       bool                `json:"legacy"`

	module string
	open   func(options storeOptions) (store, error)
}

// storeOptions are those of one store.
type storeOptions struct {
	directory  string
	durability string
	readOnly   bool
	own        map[string]string // of the engine, as declared
}

// All engines. A new one is a file like bbolt.go, and a line here.
var engines = []*engine{&badgerEngine, &bboltEngine, &goleveldbEngine, &nullEngine, &pebbleEngine}

func find(name string) *engine {
	for _, each := range engines {
		if each.Name == name {
			return each
		}
	}
	return nil
}

// declared completes what the engines say of themselves with their versions.
func declared() []*engine {
	build, ok := debug.ReadBuildInfo()
	for _, each := range engines {
		each.Access = []string{"single"}
		if each.Options == nil {
			each.Options = map[string][]string{}
		}
		for i := 0; ok && i < len(build.Deps); i++ {
			if build.Deps[i].Path == each.module {
				each.Version = strings.TrimPrefix(build.Deps[i].Version, "v")
			}
		}
	}
	return engines
}

// open opens the store that a task names. If there is none it makes one, and
// syncs the names of its files: a power cut must not take them.
func open(task *task) (store, error) {
	_, missing := os.Stat(task.Directory)
	if err := os.MkdirAll(task.Directory, 0o755); err != nil {
		return nil, err
	}
	options := storeOptions{task.Directory, task.Durability, task.Options["read_only"] == "true", task.Options}
	opened, err := find(task.Engine).open(options)
	if err == nil && missing != nil {
		err = errors.Join(syncNames(task.Directory), syncNames(filepath.Dir(task.Directory)))
	}
	return opened, err
}

func syncNames(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = directory.Sync() // some systems cannot
	return directory.Close()
}

// whatPersistentStoresCan is what each of them can do unless it says otherwise.
func whatPersistentStoresCan(more ...string) []string {
	return append([]string{"persistent", "write", "scan", "ordered-scan", "batch", "read-only"}, more...)
}
