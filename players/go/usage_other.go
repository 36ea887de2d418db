//go:build !unix

package main

import "os"

// mapped is a file that is read, and again when it has grown.
type mapped struct{}

func (*mapped) of(path string) ([]byte, error) { return os.ReadFile(path) }

func cpuNanos() int64 { return 0 }
