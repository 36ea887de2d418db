package main

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	blockCalls    = 4096    // results are checked after so many calls,
	blockBytes    = 4 << 20 // or so many bytes: memory that a program would not hold is cold
	intervalNanos = 25_000_000
	spin          = 250 * time.Microsecond // a sleep ends so late
)

// A player plays the traces of one task, a goroutine for each.
type player struct {
	store   store
	task    *task
	origin  time.Time
	running atomic.Int32 // threads that are no background load
	over    atomic.Bool
}

// play runs all threads of a task, and answers it.
func play(s store, t *task, values []byte) (*played, error) {
	p := &player{store: s, task: t}
	threads := make([]*thread, len(t.Threads))
	for i, given := range t.Threads {
		calls, err := readCalls(given.Trace, values)
		if err != nil {
			return nil, err
		}
		threads[i] = newThread(p, given, calls)
		if given.Acknowledge != "" {
			file, err := os.OpenFile(given.Acknowledge, os.O_WRONLY|os.O_CREATE, 0o600)
			if err != nil {
				return nil, err
			}
			defer file.Close()
			threads[i].acknowledged = file
		}
		if !given.Background {
			p.running.Add(1)
		}
	}
	runtime.GC() // what reading the traces left is not theirs to clean up
	before := usage()
	var begin, end sync.WaitGroup
	begin.Add(1)
	for _, each := range threads {
		end.Go(func() {
			begin.Wait()
			each.run()
			each.ended = int64(time.Since(p.origin))
		})
	}
	p.origin = time.Now()
	begin.Done()
	end.Wait()
	used := usage()
	answer := &played{
		Type:           "played",
		CPUNanos:       used.cpu - before.cpu,
		GCNanos:        used.gc - before.gc,
		AllocatedBytes: used.allocated - before.allocated,
	}
	for _, each := range threads {
		if each.err != nil {
			return nil, each.err
		}
		if !each.given.Background {
			answer.Nanos = max(answer.Nanos, each.ended)
		}
		answer.CPUNanos -= each.checking
		answer.Threads = append(answer.Threads, each.answer())
	}
	return answer, nil
}

// A thread plays one trace.
type thread struct {
	*player
	given        threadTask
	acknowledged *os.File // has the number of calls that have returned
	calls        []call
	done         int
	results      []result // of a block
	latencies    []int64  // of a block
	played       playedThread
	checking     int64 // nanoseconds
	ended        int64 // after the beginning
	err          error

	latency, response, lateness histogram
}

// A result is what a call has brought.
type result struct {
	value   []byte
	values  [][]byte
	entries []entry
	count   int // of a scan of everything
	bytes   int
}

func newThread(p *player, given threadTask, calls []call) *thread {
	size := min(blockCalls, len(calls))
	return &thread{
		player: p, given: given, calls: calls,
		results: make([]result, size), latencies: make([]int64, size),
		latency: histogram{}, response: histogram{}, lateness: histogram{},
	}
}

func (t *thread) run() {
	if t.given.Period > 0 {
		t.runAtRate()
	} else {
		for t.done < len(t.calls) && !t.stopped() && t.err == nil {
			t.runBlock()
		}
	}
	if t.task.Seconds > 0 && !(t.given.Background && t.given.Period > 0) {
		t.over.Store(true)
	}
	if !t.given.Background && t.running.Add(-1) == 0 {
		t.over.Store(true)
	}
}

func (t *thread) stopped() bool {
	return t.over.Load() || t.task.Seconds > 0 && t.played.Nanos >= int64(t.task.Seconds*1e9)
}

// runBlock runs calls one after the other, and then checks what they brought.
// Each reading of the clock ends a call and begins the next.
func (t *thread) runBlock() {
	calls := t.calls[t.done:min(t.done+blockCalls, len(t.calls))]
	deadline := int64(1 << 62)
	begin := int64(time.Since(t.origin))
	if t.task.Seconds > 0 {
		deadline = begin + int64(t.task.Seconds*1e9) - t.played.Nanos
	}
	count, results := 0, 0
	before := begin
	for i := range calls {
		if t.results[i], t.err = t.call(&calls[i]); t.err != nil {
			return
		}
		now := int64(time.Since(t.origin))
		t.latencies[i] = now - before
		before = now
		count++
		results += t.results[i].bytes + len(t.results[i].value)
		if now > deadline || results > blockBytes || t.over.Load() {
			break
		}
	}
	t.played.Nanos += before - begin
	t.account(calls[:count], begin)
	t.checking += int64(time.Since(t.origin)) - before
}

// runAtRate begins each call when it is due, or as soon as the one before has
// ended.
func (t *thread) runAtRate() {
	const soon = 1_000_000
	limit := int64(1 << 62)
	if t.task.Seconds > 0 {
		limit = int64(t.task.Seconds * 1e9)
	}
	for number := range t.calls {
		offset := int64(t.given.First + float64(number)*t.given.Period)
		due := offset + soon
		if offset >= limit || t.over.Load() || t.err != nil {
			break
		}
		now := int64(time.Since(t.origin))
		if now-soon > limit {
			t.played.Unstarted++ // whoever waits for it still does
			t.response.add(limit - offset)
			continue
		}
		free := now < due
		if free {
			t.await(due)
			if t.given.Background && t.over.Load() {
				break
			}
		}
		begin := int64(time.Since(t.origin))
		if t.results[0], t.err = t.call(&t.calls[number]); t.err != nil {
			break
		}
		end := int64(time.Since(t.origin))
		t.latencies[0] = end - begin
		t.played.Nanos += end - begin
		t.response.add(end - due)
		if free {
			t.lateness.add(begin - due)
		}
		t.account(t.calls[number:number+1], begin)
		t.checking += int64(time.Since(t.origin)) - end
	}
}

// await sleeps while there is time to spare, and spins for the last stretch.
func (t *thread) await(due int64) {
	for left := due - int64(time.Since(t.origin)); left > 0; left = due - int64(time.Since(t.origin)) {
		if left > int64(spin) {
			time.Sleep(time.Duration(left) - spin)
		} else {
			runtime.Gosched()
		}
	}
}

// call makes one call: what a program would write.
func (t *thread) call(c *call) (r result, err error) {
	first := &c.steps[0]
	switch {
	case first.kind == kindGet && len(c.steps) == 1:
		r.value, err = t.store.Get(first.key)
	case first.kind == kindGet && c.steps[1].kind == kindPut: // a read-modify-write
		if r.value, err = t.store.Get(first.key); err == nil {
			err = t.store.Put(first.key, c.steps[1].value)
		}
	case first.kind == kindGet:
		r.values, err = t.store.GetMany(c.keys)
	case first.kind == kindScan:
		err = t.scan(first, &r)
	case c.batch != nil:
		err = t.store.Write(c.batch)
	case first.kind == kindPut:
		err = t.store.Put(first.key, first.value)
	default:
		err = t.store.Delete(first.key)
	}
	if t.acknowledged != nil && err == nil {
		t.played.Acknowledged++
		_, err = t.acknowledged.WriteAt(fmt.Appendf(nil, "%d\n", t.played.Acknowledged), 0)
	}
	return r, err
}

// scan brings keys and values into memory of the program's own; without a limit
// it counts them.
func (t *thread) scan(step *operation, r *result) error {
	if step.limit > 0 {
		r.entries = make([]entry, 0, step.limit)
	}
	return t.store.Scan(step.key, func(key, value []byte) bool {
		r.count++
		r.bytes += len(key) + len(value)
		copied := entry{bytes.Clone(key), bytes.Clone(value)}
		if step.limit > 0 {
			r.entries = append(r.entries, copied)
		}
		return step.limit <= 0 || r.count < step.limit
	})
}

// account counts and checks calls that have ended; untimed.
func (t *thread) account(calls []call, begin int64) {
	operations, busy, at := int64(0), int64(0), begin
	for i := range calls {
		c, took := &calls[i], t.latencies[i]
		t.latency.add(took)
		busy += took
		at += took
		operations += c.operations()
		if busy >= intervalNanos || i == len(calls)-1 {
			t.played.Intervals = append(t.played.Intervals, [3]int64{at, operations, busy})
			operations, busy = 0, 0
		}
		t.played.Operations += c.operations()
		t.check(c, &t.results[i])
		t.results[i] = result{}
	}
	t.done += len(calls)
}

func (t *thread) check(c *call, r *result) {
	first := &c.steps[0]
	switch {
	case first.kind == kindScan:
		t.checkScan(first, r)
	case r.values != nil:
		for i := range c.steps {
			t.checkGet(&c.steps[i], r.values[i])
		}
	default:
		for i := range c.steps {
			step := &c.steps[i]
			if step.kind == kindGet {
				t.checkGet(step, r.value)
			} else {
				t.played.Entries++
				t.played.WrittenBytes += int64(len(step.key) + len(step.value))
			}
		}
		if first.kind == kindGet && len(c.steps) == 2 { // its key counts once
			t.played.ReadBytes -= int64(len(first.key))
		}
	}
}

func (t *thread) checkGet(step *operation, found []byte) {
	t.played.Entries++
	t.played.ReadBytes += int64(len(step.key) + len(found))
	switch {
	case !step.hit && found != nil:
		t.wrong("key %x was read after it had been deleted", step.key)
	case step.hit && found == nil:
		t.played.Misses++
	case step.hit && step.value != nil && !bytes.Equal(found, step.value):
		t.wrong("key %x gave other bytes than were written", step.key)
	}
}

func (t *thread) checkScan(step *operation, r *result) {
	if step.limit > 0 && step.hit {
		if len(r.entries) == 0 || !bytes.Equal(r.entries[0].key, step.key) {
			t.played.Misses++
		} else if step.value != nil && !bytes.HasPrefix(step.value, r.entries[0].value) {
			t.wrong("a scan from key %x gave other bytes than were written", step.key)
		}
	}
	t.played.Entries += int64(r.count)
	t.played.ReadBytes += int64(r.bytes)
	if step.count >= 0 && r.count != step.count {
		t.wrong("a scan found %d entries where there are %d", r.count, step.count)
	}
}

func (t *thread) wrong(format string, arguments ...any) {
	if t.played.Wrong == nil {
		what := fmt.Sprintf(format, arguments...)
		t.played.Wrong = &what
	}
}

func (t *thread) answer() *playedThread {
	t.played.Latencies = t.latency.pairs()
	t.played.Responses = t.response.pairs()
	t.played.Lateness = t.lateness.pairs()
	return &t.played
}

// A histogram counts durations, exact to 1 in 1,024.
type histogram map[int64]int64

func (h histogram) add(nanos int64) {
	nanos = max(0, nanos)
	shift := max(0, bits.Len64(uint64(nanos))-11)
	h[nanos>>shift<<shift]++
}

func (h histogram) pairs() [][2]int64 {
	pairs := make([][2]int64, 0, len(h))
	for nanos, count := range h {
		pairs = append(pairs, [2]int64{nanos, count})
	}
	return pairs
}

// getEach is GetMany for stores that have nothing like it.
func getEach(s store, keys [][]byte) (values [][]byte, err error) {
	values = make([][]byte, len(keys))
	for i := 0; i < len(keys) && err == nil; i++ {
		values[i], err = s.Get(keys[i])
	}
	return values, err
}
