/* Compares this player with loops by hand, on the same store and keys; see benchmarks/players.sh.
 * Prints lines such as "lmdb get hand 123". */
#include <leveldb/c.h>
#include <lmdb.h>
#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "play.h"
#include "store.h"

enum { RECORDS = 100000, SCANNED = 100, VALUE_SIZE = 400, CALLS = 200000 };

static char keys[RECORDS][17];
static char value_bytes[VALUE_SIZE + 1];
static volatile size_t sink;

static bytes key(size_t i) { return (bytes){keys[i], 16}; }
static bytes value(void) { return (bytes){value_bytes, VALUE_SIZE}; }

/* What a program would write, without this player's parts. */
typedef struct {
  const char *name, *level;
  void (*open)(const char *directory);
  void (*get)(bytes key);
  void (*put)(bytes key, bytes value);
  void (*scan)(bytes from, bytes *found);
  void (*close)(void);
} hand;

static bytes duplicate(const void *data, size_t size) {
  return (bytes){memcpy(malloc(size), data, size), size};
}

static void keep(bytes *found, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sink += found[i].size;
    free((void *)found[i].data);
  }
}

/* LevelDB and RocksDB have the same calls under their own names. */
#define LOG_STORE(name)                                                                     \
  static name##_t *name##_db;                                                               \
  static name##_options_t *name##_options;                                                  \
  static name##_readoptions_t *name##_read;                                                 \
  static name##_writeoptions_t *name##_write_options;                                       \
  static void open_##name(const char *directory) {                                          \
    char *error = NULL;                                                                     \
    name##_options = name##_options_create();                                               \
    name##_read = name##_readoptions_create();                                              \
    name##_write_options = name##_writeoptions_create();                                    \
    name##_db = name##_open(name##_options, directory, &error);                             \
    if (error != NULL) fail("%s", error);                                                   \
  }                                                                                         \
  static void get_##name(bytes key) {                                                       \
    char *error = NULL;                                                                     \
    size_t size;                                                                            \
    char *found = name##_get(name##_db, name##_read, key.data, key.size, &size, &error);    \
    if (error != NULL || found == NULL) fail("%s", error);                                  \
    sink += size;                                                                           \
    free(found);                                                                            \
  }                                                                                         \
  static void put_##name(bytes key, bytes value) {                                          \
    char *error = NULL;                                                                     \
    name##_put(name##_db, name##_write_options, key.data, key.size, value.data, value.size, \
               &error);                                                                     \
    if (error != NULL) fail("%s", error);                                                   \
  }                                                                                         \
  static void scan_##name(bytes from, bytes *found) {                                       \
    size_t count = 0, key_size, value_size;                                                 \
    name##_iterator_t *at = name##_create_iterator(name##_db, name##_read);                 \
    name##_iter_seek(at, from.data, from.size);                                             \
    for (; count < 2 * SCANNED && name##_iter_valid(at); name##_iter_next(at)) {            \
      const char *key = name##_iter_key(at, &key_size);                                     \
      const char *value = name##_iter_value(at, &value_size);                               \
      found[count++] = duplicate(key, key_size);                                            \
      found[count++] = duplicate(value, value_size);                                        \
    }                                                                                       \
    name##_iter_destroy(at);                                                                \
    keep(found, count);                                                                     \
  }                                                                                         \
  static void close_##name(void) { name##_close(name##_db); }

LOG_STORE(leveldb)
LOG_STORE(rocksdb)

static MDB_env *env;
static MDB_dbi dbi;

static void require(int result) {
  if (result != 0) {
    fail("%s", mdb_strerror(result));
  }
}

static void open_lmdb(const char *directory) {
  MDB_txn *transaction;
  require(mdb_env_create(&env));
  require(mdb_env_set_mapsize(env, (size_t)1 << 40));
  require(mdb_env_open(env, directory, MDB_NOSYNC, 0666));
  require(mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction));
  require(mdb_dbi_open(transaction, NULL, 0, &dbi));
  require(mdb_txn_commit(transaction));
}

static void get_lmdb(bytes key) {
  MDB_txn *transaction;
  MDB_val wanted = {key.size, (void *)key.data}, found;
  require(mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction));
  require(mdb_get(transaction, dbi, &wanted, &found));
  bytes copied = duplicate(found.mv_data, found.mv_size);
  mdb_txn_abort(transaction);
  keep(&copied, 1);
}

static void put_lmdb(bytes key, bytes value) {
  MDB_txn *transaction;
  MDB_val at = {key.size, (void *)key.data}, what = {value.size, (void *)value.data};
  require(mdb_txn_begin(env, NULL, 0, &transaction));
  require(mdb_put(transaction, dbi, &at, &what, 0));
  require(mdb_txn_commit(transaction));
}

static void scan_lmdb(bytes from, bytes *found) {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  MDB_val key = {from.size, (void *)from.data}, value;
  size_t count = 0;
  require(mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction));
  require(mdb_cursor_open(transaction, dbi, &cursor));
  for (int result = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
       result == 0 && count < 2 * SCANNED;
       result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    found[count++] = duplicate(key.mv_data, key.mv_size);
    found[count++] = duplicate(value.mv_data, value.mv_size);
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  keep(found, count);
}

static void close_lmdb(void) { mdb_env_close(env); }

static const hand hands[] = {
    {"leveldb", "process", open_leveldb, get_leveldb, put_leveldb, scan_leveldb, close_leveldb},
    {"lmdb", "process", open_lmdb, get_lmdb, put_lmdb, scan_lmdb, close_lmdb},
    {"rocksdb", "process", open_rocksdb, get_rocksdb, put_rocksdb, scan_rocksdb, close_rocksdb},
};

typedef struct {
  const char *name;
  enum kind kind;
  size_t count;
} shape;

static const shape shapes[] = {{"get", GET, CALLS}, {"put", PUT, CALLS}, {"scan", SCAN, 4000}};

/* Nanoseconds of a loop by hand. */
static int64_t by_hand(const hand *hand, const shape *shape, const size_t *chosen) {
  bytes found[2 * SCANNED];
  int64_t begin = now();
  for (size_t i = 0; i < shape->count; i++) {
    if (shape->kind == GET) {
      hand->get(key(chosen[i]));
    } else if (shape->kind == PUT) {
      hand->put(key(chosen[i]), value());
    } else {
      hand->scan(key(chosen[i]), found);
    }
  }
  return now() - begin;
}

/* The same by the player. */
static int64_t by_player(const engine *engine, void *store, const shape *shape,
                         const size_t *chosen) {
  thread_task thread = {0};
  thread.trace.size = thread.trace.call_count = shape->count;
  thread.trace.operations = allocate(shape->count, sizeof(operation));
  thread.trace.entries = allocate(shape->count, sizeof(entry));
  thread.trace.calls = allocate(shape->count, sizeof(call));
  for (size_t i = 0; i < shape->count; i++) {
    thread.trace.operations[i] = (operation){shape->kind, true, SCANNED, -1};
    thread.trace.entries[i] =
        (entry){key(chosen[i]), shape->kind == PUT ? value() : (bytes){NULL, 0}};
    thread.trace.calls[i] = (call){i, 1, false};
  }
  play_task task = {.engine = engine, .store = store, .threads = &thread, .thread_count = 1};
  char *answer = NULL;
  size_t size;
  FILE *before = stdout;
  stdout = open_memstream(&answer, &size);
  play(&task);
  fclose(stdout);
  stdout = before;
  free_trace(&thread.trace);
  const char *played = json_first(json_member(strchr(answer, '{'), "threads"));
  if (json_number(played, "misses") > 0) {
    fail("%s: it misses", engine->name);
  }
  int64_t nanos = (int64_t)json_number(played, "nanos");
  free(answer);
  return nanos;
}

static void compare(const hand *hand, const char *directory) {
  const engine *engine = find_engine(hand->name);
  settings settings = {.directory = directory, .durability = hand->level};
  void *store = open_store(engine, &settings);
  for (size_t i = 0; i < RECORDS; i++) {
    put_one(engine, store, &(entry){key(i), value()});
  }
  engine->close(store);
  size_t *chosen = allocate(CALLS, sizeof *chosen);
  for (size_t i = 0; i < CALLS; i++) {
    chosen[i] = (size_t)random() % RECORDS;
  }
  for (const shape *shape = shapes; shape < shapes + 3; shape++) {
    for (int turn = 0; turn < 3; turn++) {
      hand->open(directory);
      int64_t own = by_hand(hand, shape, chosen);
      hand->close();
      store = open_store(engine, &settings);
      int64_t played = by_player(engine, store, shape, chosen);
      engine->close(store);
      double count = (double)shape->count;
      printf("%s %s hand %.1f\n", hand->name, shape->name, (double)own / count);
      printf("%s %s player %.1f\n", hand->name, shape->name, (double)played / count);
    }
  }
  free(chosen);
}

int main(void) {
  for (size_t i = 0; i < RECORDS; i++) {
    snprintf(keys[i], sizeof keys[i], "%08lx%08lx", random(), random());
  }
  memset(value_bytes, '0', VALUE_SIZE);
  for (const hand *each = hands; each < hands + sizeof hands / sizeof *hands; each++) {
    char directory[] = "/tmp/player-XXXXXX", remove[64];
    if (mkdtemp(directory) == NULL) {
      fail("%s cannot be made", directory);
    }
    compare(each, directory);
    snprintf(remove, sizeof remove, "rm -rf %s", directory);
    sink += (size_t)system(remove);
  }
  return 0;
}
