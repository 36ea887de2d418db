package main

import (
	"runtime/debug"
	"runtime/metrics"
)

// used is what the process has used since it began.
type used struct {
	cpu       int64
	gc        int64 // nanoseconds for which collections stopped it
	allocated int64
}

func usage() used {
	var collections debug.GCStats
	debug.ReadGCStats(&collections)
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocated)
	return used{cpuNanos(), int64(collections.PauseTotal), int64(allocated[0].Value.Uint64())}
}
