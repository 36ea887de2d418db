// A player of traces for KV Stadium, on stores of Go; see docs/internals/player-protocol.md.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// A task is a line of standard input.
type task struct {
	Task       string            `json:"task"`
	Engine     string            `json:"engine"`
	Directory  string            `json:"directory"`
	Options    map[string]string `json:"options"`
	Durability string            `json:"durability"`
	Threads    []threadTask      `json:"threads"`
	Values     string            `json:"values"`
	Seconds    float64           `json:"seconds"`
	Entries    string            `json:"entries"`
	File       string            `json:"file"`
}

type threadTask struct {
	Trace       string  `json:"trace"`
	Background  bool    `json:"background"`
	First       float64 `json:"first"`
	Period      float64 `json:"period"`
	Acknowledge string  `json:"acknowledge"`
}

// played is the answer to a task.
type played struct {
	Type           string          `json:"type"`
	Nanos          int64           `json:"nanos"`
	Threads        []*playedThread `json:"threads,omitempty"`
	CPUNanos       int64           `json:"cpuNanos"`
	GCNanos        int64           `json:"gcNanos"`
	AllocatedBytes int64           `json:"allocatedBytes"`
	Jobs           *int            `json:"jobs,omitempty"`
	PendingBytes   int64           `json:"pendingBytes"`
}

type playedThread struct {
	Nanos        int64      `json:"nanos"`
	Operations   int64      `json:"operations"`
	Entries      int64      `json:"entries"`
	ReadBytes    int64      `json:"readBytes"`
	WrittenBytes int64      `json:"writtenBytes"`
	Misses       int64      `json:"misses"`
	Wrong        *string    `json:"wrong"`
	Latencies    [][2]int64 `json:"latencies"`
	Intervals    [][3]int64 `json:"intervals"`
	Responses    [][2]int64 `json:"responses"`
	Lateness     [][2]int64 `json:"lateness"`
	Unstarted    int64      `json:"unstarted"`

	Acknowledged int64 `json:"-"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	switch {
	case len(arguments) == 1 && arguments[0] == "describe":
		return say(map[string]any{
			"type": "hello", "protocol": 3, "language": "go", "version": runtime.Version(),
			"plays": []string{"threads", "rate", "background"}, "engines": declared(),
		})
	case len(arguments) == 1 && arguments[0] == "play":
		signal.Ignore(os.Interrupt) // the parent decides
		return tasks(os.Stdin)
	default:
		return errors.New("give describe or play, and see docs/internals/player-protocol.md")
	}
}

func say(message any) error {
	line, err := json.Marshal(message)
	if err == nil {
		_, err = fmt.Printf("@stadium %s\n", line)
	}
	return err
}

// tasks does one task after the other, until there are no more.
func tasks(input io.Reader) error {
	var current session
	for lines := json.NewDecoder(input); ; {
		next := new(task)
		if err := lines.Decode(next); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer, err := current.do(next)
		if err == nil {
			err = say(answer)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", next.Task, err)
		}
	}
}

// A session has the store that is open.
type session struct {
	store  store
	values mapped
}

func (s *session) do(t *task) (*played, error) {
	begin := time.Now()
	var err error
	switch t.Task {
	case "open":
		s.store, err = open(t)
	case "close":
		err = s.store.Close()
	case "background":
		answer := &played{Type: "played"}
		if worker, ok := s.store.(worker); ok {
			jobs, pending := worker.Background()
			answer.Jobs, answer.PendingBytes = &jobs, pending
		}
		return answer, nil
	case "dump":
		err = dump(s.store, t.File)
	case "load":
		return s.load(t)
	case "play", "play_opening":
		var values []byte
		if values, err = s.values.of(t.Values); err != nil {
			return nil, err
		}
		if t.Task == "play_opening" {
			return play(opening{task: t}, t, values)
		}
		return play(s.store, t, values)
	default:
		err = errors.New("there is no such task")
	}
	return &played{Type: "played", Nanos: int64(time.Since(begin))}, err
}

// opening is a closed store, which each read opens and closes again.
type opening struct {
	store
	task *task
}

func (o opening) Get(key []byte) ([]byte, error) {
	opened, err := open(o.task)
	if err != nil {
		return nil, err
	}
	value, err := opened.Get(key)
	return value, errors.Join(err, opened.Close())
}

// A file of entries has, of each: the lengths of key and value, in four bytes
// each, the key, and the value.

func dump(s store, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	err = s.Scan(nil, func(key, value []byte) bool {
		head := binary.BigEndian.AppendUint32(nil, uint32(len(key)))
		_, _ = out.Write(binary.BigEndian.AppendUint32(head, uint32(len(value))))
		_, _ = out.Write(key)
		_, err := out.Write(value)
		return err == nil // Flush reports it
	})
	return errors.Join(err, out.Flush(), file.Close())
}

func (s *session) load(t *task) (*played, error) {
	var file mapped
	content, err := file.of(t.Entries)
	if err != nil {
		return nil, err
	}
	var thread playedThread
	before, begin := usage(), time.Now()
	err = s.store.(loader).Load(entries(content, &thread))
	thread.Nanos = int64(time.Since(begin))
	used := usage()
	return &played{
		Type: "played", Nanos: thread.Nanos, Threads: []*playedThread{&thread},
		CPUNanos: used.cpu - before.cpu, GCNanos: used.gc - before.gc,
		AllocatedBytes: used.allocated - before.allocated,
	}, err
}

func entries(content []byte, counts *playedThread) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for rest := content; len(rest) > 0; {
			key, value := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
			rest = rest[8:]
			counts.Entries++
			counts.Operations++
			counts.WrittenBytes += int64(key + value)
			if !yield(rest[:key:key], rest[key:key+value:key+value]) {
				return
			}
			rest = rest[key+value:]
		}
	}
}
