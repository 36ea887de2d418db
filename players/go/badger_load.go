package main

import (
	"iter"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
)

func (s badgerStore) Load(entries iter.Seq2[[]byte, []byte]) error {
	const bufferBytes = 4 << 20
	writer := s.db.NewStreamWriter()
	if err := writer.Prepare(); err != nil {
		return err
	}
	buffer := z.NewBuffer(bufferBytes, "load")
	defer func() { _ = buffer.Release() }()
	for key, value := range entries {
		badger.KVToBuffer(&pb.KV{Key: key, Value: value, Version: 1}, buffer)
		if buffer.LenNoPadding() >= bufferBytes {
			if err := writer.Write(buffer); err != nil {
				return err
			}
			buffer.Reset()
		}
	}
	if err := writer.Write(buffer); err != nil {
		return err
	}
	return writer.Flush()
}
