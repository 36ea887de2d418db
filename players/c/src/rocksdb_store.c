/* RocksDB; what it has in common with LevelDB is in leveldb_calls.h. */
#include <rocksdb/c.h>

#define CALL(name) rocksdb_##name
#include <stdio.h>

#include "leveldb_calls.h"

static void *open_it(const settings *settings) {
  log_store *store = store_with(settings);
  rocksdb_writeoptions_disable_WAL(store->write, strcmp(settings->durability, "none") == 0);
  char *error = NULL;
  store->db = settings->read_only
                  ? rocksdb_open_for_read_only(store->options, settings->directory, 0, &error)
                  : rocksdb_open(store->options, settings->directory, &error);
  check(error);
  return store;
}

static void get_many(void *opened, const entry *wanted, size_t count, bytes *values) {
  log_store *store = opened;
  const char **keys = allocate(count, sizeof *keys);
  size_t *key_sizes = allocate(count, sizeof *key_sizes);
  char **found = allocate(count, sizeof *found);
  size_t *sizes = allocate(count, sizeof *sizes);
  char **errors = allocate(count, sizeof *errors);
  for (size_t i = 0; i < count; i++) {
    keys[i] = wanted[i].key.data;
    key_sizes[i] = wanted[i].key.size;
  }
  rocksdb_multi_get(store->db, store->read, count, keys, key_sizes, found, sizes, errors);
  for (size_t i = 0; i < count; i++) {
    check(errors[i]);
    values[i] = (bytes){found[i], sizes[i]};
  }
  free(keys), free(key_sizes), free(found), free(sizes), free(errors);
}

static void background(void *opened, uint64_t *jobs, uint64_t *pending_bytes) {
  log_store *store = opened;
  uint64_t flushes = 0;
  rocksdb_property_int(store->db, "rocksdb.num-running-flushes", &flushes);
  rocksdb_property_int(store->db, "rocksdb.num-running-compactions", jobs);
  rocksdb_property_int(store->db, "rocksdb.estimate-pending-compaction-bytes", pending_bytes);
  *jobs += flushes;
}

/* Makefile takes it from the headers. */
static void version(char *text, size_t size) { snprintf(text, size, "%s", HAVE_ROCKSDB); }

const engine rocksdb_engine = {
    .name = "rocksdb",
    .title = "RocksDB",
    .licence = "GPL-2.0 or Apache-2.0",
    .home = "https://rocksdb.org",
    .capabilities = PERSISTENT_STORE ",\"read-only\"",
    .levels = {{"none", "disableWAL=1"},
               {"process", "sync=0"},
               {"power", "sync=1"},
               {"engine-default", "sync=0"}},
    .background = background,
    .get = get,
    .put = put,
    STORE_FUNCTIONS,
};
