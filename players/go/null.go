package main

var nullEngine = engine{
	Name: "null", Title: "Null", Version: "1",
	Capabilities: []string{"write", "batch"},
	Durability:   map[string]string{"none": "nothing is kept", "engine-default": "nothing is kept"},
	open:         func(storeOptions) (store, error) { return nullStore{}, nil },
}

// nullStore keeps nothing: it measures the measuring.
type nullStore struct{}

func (nullStore) Get([]byte) ([]byte, error)                      { return nil, nil }
func (nullStore) GetMany(keys [][]byte) ([][]byte, error)         { return make([][]byte, len(keys)), nil }
func (nullStore) Put(_, _ []byte) error                           { return nil }
func (nullStore) Delete([]byte) error                             { return nil }
func (nullStore) Write([]entry) error                             { return nil }
func (nullStore) Scan([]byte, func(key, value []byte) bool) error { return nil }
func (nullStore) Close() error                                    { return nil }
