/* LevelDB; what it has in common with RocksDB is in leveldb_calls.h. */
#include <leveldb/c.h>
#include <stdio.h>

#define CALL(name) leveldb_##name
#include "leveldb_calls.h"

static void *open_it(const settings *settings) {
  log_store *store = store_with(settings);
  if (settings->filter != NULL) {
    store->filter = leveldb_filterpolicy_create_bloom(atoi(settings->filter));
    leveldb_options_set_filter_policy(store->options, store->filter);
  }
  char *error = NULL;
  store->db = leveldb_open(store->options, settings->directory, &error);
  check(error);
  return store;
}

static void get_many(void *store, const entry *keys, size_t count, bytes *values) {
  for (size_t i = 0; i < count; i++) {
    values[i] = get(store, keys[i].key);
  }
}

static void version(char *text, size_t size) {
  snprintf(text, size, "%d.%d", leveldb_major_version(), leveldb_minor_version());
}

const engine leveldb_engine = {
    .name = "leveldb",
    .title = "LevelDB",
    .licence = "BSD-3-Clause",
    .home = "https://github.com/google/leveldb",
    .capabilities = PERSISTENT_STORE,
    /* What is written without sync is in the page cache. A power cut may take more than the end of
     * it (leveldb#193), so that there is no level consistent. */
    .levels = {{"process", "sync=0"}, {"power", "sync=1"}, {"engine-default", "sync=0"}},
    .filter = "10",
    .get = get,
    .put = put,
    STORE_FUNCTIONS,
};
