#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef HAVE_LEVELDB
static const engine leveldb_engine = {
    .name = "leveldb", .title = "LevelDB", .unavailable = "leveldb/c.h (libleveldb-dev)"};
#else
extern const engine leveldb_engine;
#endif
#ifndef HAVE_LMDB
static const engine lmdb_engine = {
    .name = "lmdb", .title = "LMDB", .unavailable = "lmdb.h (liblmdb-dev)"};
#else
extern const engine lmdb_engine;
#endif
#ifndef HAVE_ROCKSDB
static const engine rocksdb_engine = {
    .name = "rocksdb", .title = "RocksDB", .unavailable = "rocksdb/c.h (librocksdb-dev)"};
#else
extern const engine rocksdb_engine;
#endif
extern const engine null_engine;

const engine *const engines[] = {&leveldb_engine, &lmdb_engine, &null_engine, &rocksdb_engine,
                                 NULL};

const engine *find_engine(const char *name) {
  for (const engine *const *each = engines; *each != NULL; each++) {
    if (strcmp((*each)->name, name) == 0 && (*each)->unavailable == NULL) {
      return *each;
    }
  }
  fail("there is no engine '%s'", name);
}

static void sync_names(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY);
  if (directory < 0) {
    fail("%s: %s", path, strerror(errno));
  }
  (void)fsync(directory); /* some systems cannot */
  close(directory);
}

static void make_directories(const char *path) {
  char *copied = strdup(path);
  for (char *slash = strchr(copied + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(copied, 0777); /* what fails here fails below, too */
    *slash = '/';
  }
  free(copied);
  if (mkdir(path, 0777) != 0 && errno != EEXIST) {
    fail("%s: %s", path, strerror(errno));
  }
}

bytes get_one(const engine *engine, void *store, bytes key) {
  if (engine->get != NULL) {
    return engine->get(store, key);
  }
  bytes value = {NULL, 0};
  engine->get_many(store, &(entry){.key = key}, 1, &value);
  return value;
}

void put_one(const engine *engine, void *store, const entry *entry) {
  if (engine->put != NULL) {
    engine->put(store, entry);
  } else {
    engine->write(store, entry, 1);
  }
}

void *open_store(const engine *engine, const settings *settings) {
  struct stat there;
  bool missing = stat(settings->directory, &there) != 0;
  if (missing) {
    make_directories(settings->directory);
  }
  void *store = engine->open(settings);
  if (missing) {
    char *parent = strdup(settings->directory);
    sync_names(settings->directory);
    sync_names(dirname(parent));
    free(parent);
  }
  return store;
}

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  _exit(1); /* other threads may be in the middle of calls */
}

void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) {
    fail("there is no memory for %zu times %zu bytes", count, size);
  }
  return memory;
}

void *with_room(void *memory, size_t count, size_t size) {
  if ((count & (count - 1)) != 0) {
    return memory; /* it was doubled at the last power of two */
  }
  void *larger = realloc(memory, (count == 0 ? 1 : 2 * count) * size);
  if (larger == NULL) {
    fail("there is no memory for %zu times %zu bytes", 2 * count, size);
  }
  return larger;
}

bytes copy(const void *data, size_t size) {
  char *copied = malloc(size + 1);
  if (copied == NULL) {
    fail("there is no memory for %zu bytes", size);
  }
  return (bytes){memcpy(copied, data, size), size};
}
