//go:build unix

package main

import (
	"os"
	"syscall"
)

// mapped is a file that is mapped into memory, and again when it has grown.
type mapped struct {
	path    string
	content []byte
}

func (m *mapped) of(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	if m.path == path && int64(len(m.content)) == info.Size() {
		return m.content, nil
	}
	// an earlier mapping stays, for whoever still has parts of it
	m.path = path
	m.content, err = syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	return m.content, err
}

// cpuNanos is the processor time of the process.
func cpuNanos() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
