/* What a store must have, and the engines that there are. */
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Without data there is nothing, which is not the same as a length of 0. */
typedef struct {
  const char *data;
  size_t size;
} bytes;

/* An entry without a value deletes its key. */
typedef struct {
  bytes key, value;
} entry;

/* How to open a store. */
typedef struct {
  const char *directory, *durability;
  bool read_only;
  const char *filter; /* an option of LevelDB, or NULL */
} settings;

/* Receives keys and values, which may be the store's own memory, until it returns false. */
typedef bool visitor(void *argument, bytes key, bytes value);

/* A level of durability and the settings that give it, or an option and its values. */
typedef struct {
  const char *name, *value;
} pair;

/* What each store that keeps entries can do. */
#define PERSISTENT_STORE "\"persistent\",\"write\",\"scan\",\"ordered-scan\",\"batch\""

/* What Stadium must know to plan trials, and how to use a store; see
 * docs/internals/player-protocol.md. Stores are used by several threads. Functions that fail end
 * the process: see fail. */
typedef struct {
  const char *name, *title, *licence, *home, *capabilities;
  const char *unavailable; /* why it cannot be used here, or NULL */
  void (*version)(char *text, size_t size);
  pair levels[5];
  const char *filter; /* the choice of an option of that name, or NULL */

  void *(*open)(const settings *settings);
  /* A copy, for the caller to free; NULL if get_many is as good for one key. */
  bytes (*get)(void *store, bytes key);
  /* The value of each key, as from get. */
  void (*get_many)(void *store, const entry *keys, size_t count, bytes *values);
  /* Puts or deletes; NULL if write is as good for one entry. */
  void (*put)(void *store, const entry *entry);
  /* Applies all or nothing. */
  void (*write)(void *store, const entry *batch, size_t count);
  /* Visits entries in the order of their keys, from the first that is not below from. */
  void (*scan)(void *store, bytes from, visitor *visit, void *argument);
  /* What it still does in the background; NULL if it does not say. */
  void (*background)(void *store, uint64_t *jobs, uint64_t *pending_bytes);
  void (*close)(void *store);
} engine;

/* The functions of a store, where they have these names. */
#define STORE_FUNCTIONS                                                                        \
  .version = version, .open = open_it, .get_many = get_many, .write = write_all, .scan = scan, \
  .close = close_it

/* All engines. A new one is a file like lmdb_store.c, a line in store.c and some in Makefile. */
extern const engine *const engines[];
const engine *find_engine(const char *name);

/* Opens a store. If there is none it makes one, and syncs the names of its files: a power cut
 * must not take them. */
void *open_store(const engine *engine, const settings *settings);

/* The value of a key, as from get. */
bytes get_one(const engine *engine, void *store, bytes key);

/* Puts or deletes. */
void put_one(const engine *engine, void *store, const entry *entry);

/* Says why the process ends, and ends it. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory for a number of things, all 0; never NULL. */
void *allocate(size_t count, size_t size);

/* Memory that has a number of things, with room for one more. */
void *with_room(void *memory, size_t count, size_t size);

/* A copy of bytes, to be freed, with data even if they are none. */
bytes copy(const void *data, size_t size);

#endif
