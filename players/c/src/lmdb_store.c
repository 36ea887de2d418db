/* LMDB: each call is a transaction of its own. */
#include <lmdb.h>
#include <stdio.h>

#include "store.h"

typedef struct {
  MDB_env *env;
  MDB_dbi entries;
} lmdb;

static bool check(int result) {
  if (result != MDB_SUCCESS && result != MDB_NOTFOUND) {
    fail("lmdb: %s", mdb_strerror(result));
  }
  return result == MDB_SUCCESS;
}

static MDB_txn *begin(lmdb *store, unsigned flags) {
  MDB_txn *transaction;
  check(mdb_txn_begin(store->env, NULL, flags, &transaction));
  return transaction;
}

static void *open_it(const settings *settings) {
  bool process = strcmp(settings->durability, "process") == 0;
  bool consistent = strcmp(settings->durability, "consistent") == 0;
  unsigned flags = process ? MDB_NOSYNC : consistent ? MDB_NOMETASYNC : 0;
  lmdb *store = allocate(1, sizeof *store);
  check(mdb_env_create(&store->env));
  check(mdb_env_set_mapsize(store->env, (size_t)1 << 40));
  unsigned reads = settings->read_only ? MDB_RDONLY : 0;
  check(mdb_env_open(store->env, settings->directory, flags | reads, 0666));
  MDB_txn *transaction = begin(store, reads);
  check(mdb_dbi_open(transaction, NULL, 0, &store->entries));
  check(mdb_txn_commit(transaction));
  return store;
}

static void get_many(void *opened, const entry *keys, size_t count, bytes *values) {
  lmdb *store = opened;
  MDB_txn *transaction = begin(store, MDB_RDONLY);
  for (size_t i = 0; i < count; i++) {
    MDB_val key = {keys[i].key.size, (void *)keys[i].key.data}, found;
    if (check(mdb_get(transaction, store->entries, &key, &found))) {
      values[i] = copy(found.mv_data, found.mv_size);
    }
  }
  mdb_txn_abort(transaction);
}

static void write_all(void *opened, const entry *batch, size_t count) {
  lmdb *store = opened;
  MDB_txn *transaction = begin(store, 0);
  for (const entry *at = batch; at < batch + count; at++) {
    MDB_val key = {at->key.size, (void *)at->key.data};
    MDB_val value = {at->value.size, (void *)at->value.data};
    check(at->value.data != NULL ? mdb_put(transaction, store->entries, &key, &value, 0)
                                 : mdb_del(transaction, store->entries, &key, NULL));
  }
  check(mdb_txn_commit(transaction));
}

static void scan(void *opened, bytes from, visitor *visit, void *argument) {
  lmdb *store = opened;
  MDB_txn *transaction = begin(store, MDB_RDONLY);
  MDB_cursor *cursor;
  check(mdb_cursor_open(transaction, store->entries, &cursor));
  MDB_val key = {from.size, (void *)from.data}, value;
  MDB_cursor_op how = from.size > 0 ? MDB_SET_RANGE : MDB_FIRST;
  while (
      check(mdb_cursor_get(cursor, &key, &value, how)) &&
      visit(argument, (bytes){key.mv_data, key.mv_size}, (bytes){value.mv_data, value.mv_size})) {
    how = MDB_NEXT;
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
}

static void close_it(void *opened) {
  mdb_env_close(((lmdb *)opened)->env);
  free(opened);
}

static void version(char *text, size_t size) {
  snprintf(text, size, "%d.%d.%d", MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH);
}

const engine lmdb_engine = {
    .name = "lmdb",
    .title = "LMDB",
    .licence = "OLDAP-2.8",
    .home = "https://symas.com/lmdb",
    .capabilities = PERSISTENT_STORE ",\"read-only\"",
    .levels = {{"process", "MDB_NOSYNC"},
               {"consistent", "MDB_NOMETASYNC"},
               {"power", "no flags"},
               {"engine-default", "no flags"}},
    STORE_FUNCTIONS,
};
