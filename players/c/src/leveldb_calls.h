/* The calls that LevelDB and RocksDB have alike: CALL(put) is leveldb_put, or rocksdb_put. Memory
 * from their get is malloc's. */
#include "store.h"

typedef struct {
  CALL(t) * db;
  CALL(options_t) * options;
  CALL(readoptions_t) * read;
  CALL(writeoptions_t) * write;
  void *filter;
} log_store;

static void check(const char *error) {
  if (error != NULL) {
    fail("%s", error);
  }
}

/* What the store is opened with; not yet opened. */
static log_store *store_with(const settings *settings) {
  log_store *store = allocate(1, sizeof *store);
  store->options = CALL(options_create)();
  store->read = CALL(readoptions_create)();
  store->write = CALL(writeoptions_create)();
  CALL(options_set_create_if_missing)(store->options, 1);
  CALL(writeoptions_set_sync)(store->write, strcmp(settings->durability, "power") == 0);
  return store;
}

static bytes get(void *opened, bytes key) {
  log_store *store = opened;
  bytes value = {NULL, 0};
  char *error = NULL;
  value.data = CALL(get)(store->db, store->read, key.data, key.size, &value.size, &error);
  check(error);
  return value;
}

static void put(void *opened, const entry *entry) {
  log_store *store = opened;
  bytes key = entry->key, value = entry->value;
  char *error = NULL;
  if (value.data != NULL) {
    CALL(put)(store->db, store->write, key.data, key.size, value.data, value.size, &error);
  } else {
    CALL(delete)(store->db, store->write, key.data, key.size, &error);
  }
  check(error);
}

static void write_all(void *opened, const entry *batch, size_t count) {
  log_store *store = opened;
  CALL(writebatch_t) *writes = CALL(writebatch_create)();
  for (const entry *each = batch; each < batch + count; each++) {
    bytes key = each->key, value = each->value;
    if (value.data != NULL) {
      CALL(writebatch_put)(writes, key.data, key.size, value.data, value.size);
    } else {
      CALL(writebatch_delete)(writes, key.data, key.size);
    }
  }
  char *error = NULL;
  CALL(write)(store->db, store->write, writes, &error);
  check(error);
  CALL(writebatch_destroy)(writes);
}

static void scan(void *opened, bytes from, visitor *visit, void *argument) {
  log_store *store = opened;
  CALL(iterator_t) *at = CALL(create_iterator)(store->db, store->read);
  bytes key, value;
  for (CALL(iter_seek)(at, from.data, from.size); CALL(iter_valid)(at); CALL(iter_next)(at)) {
    key.data = CALL(iter_key)(at, &key.size);
    value.data = CALL(iter_value)(at, &value.size);
    if (!visit(argument, key, value)) {
      break;
    }
  }
  char *error = NULL;
  CALL(iter_get_error)(at, &error);
  check(error);
  CALL(iter_destroy)(at);
}

static void close_it(void *opened) {
  log_store *store = opened;
  CALL(close)(store->db);
  CALL(options_destroy)(store->options);
  CALL(readoptions_destroy)(store->read);
  CALL(writeoptions_destroy)(store->write);
  if (store->filter != NULL) {
    CALL(filterpolicy_destroy)(store->filter);
  }
  free(store);
}
