package main

import (
	"encoding/binary"
	"fmt"
	"os"
)

// Kinds of operations of a trace that are played; see docs/internals/trace-format.md.
const (
	kindGet      = 0
	kindPut      = 2
	kindDelete   = 5
	kindScan     = 8
	kindBatch    = 10
	kindBatchEnd = 11
	kindValue    = 19
)

// An operation of a trace.
type operation struct {
	kind  byte
	hit   bool
	key   []byte
	value []byte // what it writes or should read; of a scan, its first entry's, and what follows
	limit int    // of a scan; negative: none
	count int    // of a scan's entries; negative: not known
}

// A call is one operation, or several: a batch, a get of several keys, a
// read-modify-write.
type call struct {
	steps []operation
	keys  [][]byte // of a get of several
	batch []entry
}

// operations are as many as a batch of writes has; any other call is one.
func (c *call) operations() int64 {
	if c.steps[0].kind == kindGet {
		return 1
	}
	return int64(len(c.steps))
}

// prepare makes the arguments of calls of several operations, before they are
// timed, and touches what they write.
func (c *call) prepare(bounded bool) {
	for i := range c.steps {
		step := &c.steps[i]
		if step.kind == kindPut {
			for at := 0; at < len(step.value); at += os.Getpagesize() {
				touched += step.value[at]
			}
		}
		switch {
		case !bounded:
		case c.steps[0].kind == kindGet:
			c.keys = append(c.keys, step.key)
		default:
			c.batch = append(c.batch, entry{step.key, step.value})
		}
	}
}

var touched byte // so that the compiler keeps the reads

// readCalls reads all calls of a trace, whose values are parts of the given ones.
// A batch may go on in the next block. Checksums are not checked.
func readCalls(path string, values []byte) ([]call, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(content) < 16 || string(content[:8]) != "\x89KVTRAC\n" || content[8] > 2 {
		return nil, fmt.Errorf("%s is not a trace of version 2", path)
	}
	var operations []operation
	var ends []int // of each call, in operations
	bounded := map[int]bool{}
	inside := false
	at := -1
	for content = content[16:]; len(content) >= 12; {
		kind, size := content[4], int(binary.BigEndian.Uint32(content[4:]))&0xffffff
		block := content[12 : 12+size]
		content = content[12+size:]
		if kind != 'O' {
			continue
		}
		reader := blockReader{rest: block}
		for range 4 {
			reader.varint()
		}
		for len(reader.rest) > 0 {
			next, count, err := reader.operation()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			switch next.kind {
			case kindValue:
				at = count
			case kindBatch:
				inside = true
			case kindBatchEnd:
				inside = false
				bounded[len(ends)] = true
				ends = append(ends, len(operations))
			default:
				if at >= 0 && next.kind == kindScan {
					next.value = values[at:]
				} else if at >= 0 {
					next.value = values[at : at+count : at+count]
				}
				at = -1
				operations = append(operations, next)
				if !inside {
					ends = append(ends, len(operations))
				}
			}
		}
	}
	calls := make([]call, len(ends))
	begin := 0
	for i, end := range ends {
		calls[i].steps = operations[begin:end:end]
		calls[i].prepare(bounded[i])
		begin = end
	}
	return calls, nil
}

// blockReader reads one block.
type blockReader struct {
	rest    []byte
	keys    [][]byte
	lengths []int
}

func (r *blockReader) varint() int {
	value, size := binary.Uvarint(r.rest)
	r.rest = r.rest[size:]
	return int(value)
}

// key returns the number of a key in the block, or -1.
func (r *blockReader) key() int {
	code := r.varint()
	if code > 0 {
		return code - 2
	}
	common, more := r.varint(), r.varint()
	key := make([]byte, common+more)
	if common > 0 {
		copy(key, r.keys[len(r.keys)-1][:common])
	}
	copy(key[common:], r.rest[:more])
	r.rest = r.rest[more:]
	r.keys = append(r.keys, key)
	r.lengths = append(r.lengths, 0)
	return len(r.keys) - 1
}

// operation returns the next one, and the length of its value, or what a value's
// operation counts.
func (r *blockReader) operation() (next operation, count int, err error) {
	first := r.rest[0]
	r.rest = r.rest[1:]
	next = operation{kind: first & 0x1f, hit: true, limit: -1, count: -1}
	if first&0x60 != 0 {
		return next, 0, fmt.Errorf("operation %#x has a thread or a table", first)
	}
	if first&0x80 != 0 {
		next.hit = r.rest[0] == 0
		r.rest = r.rest[1:]
	}
	r.varint() // time
	r.varint() // duration
	switch next.kind {
	case kindGet, kindPut, kindDelete:
		number := r.key()
		next.key = r.keys[number]
		if next.kind != kindDelete {
			code := r.varint()
			count = r.lengths[number] + (code>>1 ^ -(code & 1))
			if count >= 0 {
				r.lengths[number] = count
			}
		}
	case kindScan:
		if number := r.key(); number >= 0 {
			next.key = r.keys[number]
		}
		r.key() // upper bound: there is none
		r.rest = r.rest[1:]
		next.limit = r.varint() - 1
		r.varint() // length
		next.count = r.varint() - 1
	case kindValue:
		count = r.varint() - 1
	case kindBatch, kindBatchEnd:
	default:
		err = fmt.Errorf("operation %d is not played", next.kind)
	}
	return next, count, err
}
