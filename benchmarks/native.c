/* fillseq and readrandom as db_bench runs them, on the same library that Stadium's engine loads. So, unlike
 * with db_bench, RocksDB's version does not contribute to a difference from Stadium.
 * Usage: native DIRECTORY SEED; prints "NAME OPERATIONS_PER_SECOND". Called by db_bench.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* From RocksDB's C API; the Java archive does not include its header. */
typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_table_options_t rocksdb_table_options_t;
typedef struct rocksdb_cache_t rocksdb_cache_t;
typedef struct rocksdb_value_t rocksdb_value_t;
rocksdb_options_t *rocksdb_options_create(void);
void rocksdb_options_set_create_if_missing(rocksdb_options_t *, unsigned char);
void rocksdb_options_set_compression(rocksdb_options_t *, int);
void rocksdb_options_set_write_buffer_size(rocksdb_options_t *, size_t);
void rocksdb_options_set_max_open_files(rocksdb_options_t *, int);
void rocksdb_options_set_block_based_table_factory(rocksdb_options_t *, rocksdb_table_options_t *);
rocksdb_table_options_t *rocksdb_block_based_options_create(void);
void rocksdb_block_based_options_set_block_size(rocksdb_table_options_t *, size_t);
void rocksdb_block_based_options_set_block_cache(rocksdb_table_options_t *, rocksdb_cache_t *);
rocksdb_cache_t *rocksdb_cache_create_lru(size_t);
rocksdb_readoptions_t *rocksdb_readoptions_create(void);
rocksdb_writeoptions_t *rocksdb_writeoptions_create(void);
rocksdb_t *rocksdb_open(const rocksdb_options_t *, const char *, char **);
void rocksdb_put(rocksdb_t *, const rocksdb_writeoptions_t *, const char *, size_t, const char *, size_t, char **);
void *rocksdb_get_pinned(rocksdb_t *, const rocksdb_readoptions_t *, const char *, size_t, char **);
const char *rocksdb_pinnableslice_value(const void *, size_t *);
void rocksdb_pinnableslice_destroy(void *);
char *rocksdb_property_value(rocksdb_t *, const char *);
void rocksdb_close(rocksdb_t *);

enum { RECORDS = 1000000, KEY = 16, VALUE = 100 };

static uint64_t state;

static uint64_t draw(void) { /* SplitMix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void check(char *error) {
  if (error != NULL) {
    fprintf(stderr, "%s\n", error);
    exit(1);
  }
}

static void key(char *into, uint64_t number) {
  char text[KEY + 1];
  snprintf(text, sizeof text, "%016llu", (unsigned long long)number);
  memcpy(into, text, KEY);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: native DIRECTORY SEED\n");
    return 2;
  }
  state = strtoull(argv[2], NULL, 10);
  rocksdb_table_options_t *table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_block_size(table, 4096);
  rocksdb_block_based_options_set_block_cache(table, rocksdb_cache_create_lru(8 << 20));
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_compression(options, 0);
  rocksdb_options_set_write_buffer_size(options, 64 << 20);
  rocksdb_options_set_max_open_files(options, -1);
  rocksdb_options_set_block_based_table_factory(options, table);
  char *error = NULL;
  rocksdb_t *db = rocksdb_open(options, argv[1], &error);
  check(error);

  char *pool = malloc(1 << 20);
  for (int i = 0; i < 1 << 20; i++) pool[i] = (char)draw();
  static char keys[512][KEY];
  rocksdb_writeoptions_t *write = rocksdb_writeoptions_create();
  double busy = 0;
  for (int done = 0; done < RECORDS;) { /* keys are generated outside the timed part, as in Stadium */
    int count = RECORDS - done < 512 ? RECORDS - done : 512;
    for (int k = 0; k < count; k++) key(keys[k], done + k);
    double begin = now();
    for (int k = 0; k < count; k++) {
      rocksdb_put(db, write, keys[k], KEY, pool + (done + k) % 1000000, VALUE, &error);
      check(error);
    }
    busy += now() - begin;
    done += count;
  }
  printf("fillseq %.0f\n", RECORDS / busy);

  for (;;) { /* as Stadium does before it reads */
    char *compactions = rocksdb_property_value(db, "rocksdb.num-running-compactions");
    char *flushes = rocksdb_property_value(db, "rocksdb.num-running-flushes");
    char *pending = rocksdb_property_value(db, "rocksdb.compaction-pending");
    int idle = !strcmp(compactions, "0") && !strcmp(flushes, "0") && !strcmp(pending, "0");
    free(compactions);
    free(flushes);
    free(pending);
    if (idle) break;
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  rocksdb_readoptions_t *read = rocksdb_readoptions_create();
  busy = 0;
  for (int done = 0; done < RECORDS;) {
    int count = RECORDS - done < 512 ? RECORDS - done : 512;
    for (int k = 0; k < count; k++) key(keys[k], draw() % RECORDS);
    double begin = now();
    for (int k = 0; k < count; k++) {
      size_t length = 0;
      void *value = rocksdb_get_pinned(db, read, keys[k], KEY, &error);
      check(error);
      if (value == NULL || rocksdb_pinnableslice_value(value, &length) == NULL || length != VALUE) {
        fprintf(stderr, "a key is missing\n");
        return 1;
      }
      rocksdb_pinnableslice_destroy(value);
    }
    busy += now() - begin;
    done += count;
  }
  printf("readrandom %.0f\n", RECORDS / busy);
  rocksdb_close(db);
  return 0;
}
