/* Tests of the player's parts; of the whole, check-player has more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "play.h"
#include "store.h"

static int failures;

#define EXPECT(condition, ...)                                             \
  do {                                                                     \
    if (!(condition)) {                                                    \
      failures++;                                                          \
      printf("%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition); \
      printf(__VA_ARGS__);                                                 \
      putchar('\n');                                                       \
    }                                                                      \
  } while (0)

enum { COUNT = 300 };

static const bytes nothing = {NULL, 0};

static bytes text(const char *given) { return (bytes){given, strlen(given)}; }

static bool same(bytes one, bytes other) {
  return one.data != NULL && other.data != NULL && one.size == other.size &&
         memcmp(one.data, other.data, one.size) == 0;
}

/* A store should have these entries, but for number 7, in this order. */
static bytes key(int i) {
  static char keys[COUNT][16];
  snprintf(keys[i], sizeof keys[i], "key %03d", i);
  return text(keys[i]);
}

static bytes value(int i) {
  static char values[COUNT][COUNT];
  memset(values[i], i, COUNT);
  return (bytes){values[i], (size_t)i};
}

typedef struct {
  const char *name;
  int next;
} contents;

static bool compare(void *argument, bytes found, bytes with) {
  contents *contents = argument;
  contents->next += contents->next == 7;
  EXPECT(contents->next < COUNT && same(found, key(contents->next)) &&
             same(with, value(contents->next)),
         "%s, entry %d", contents->name, contents->next);
  contents->next++;
  return true;
}

static void expect_contents(const engine *engine, void *store) {
  contents contents = {engine->name, 0};
  engine->scan(store, text(""), compare, &contents);
  EXPECT(contents.next == COUNT, "%s has %d", engine->name, contents.next);
  entry wanted[] = {{.key = key(9)}, {.key = text("gone")}, {.key = key(0)}};
  bytes expected[] = {value(9), nothing, value(0)}, found[3] = {{NULL, 0}};
  engine->get_many(store, wanted, 3, found);
  for (int i = 0; i < 3; i++) {
    bytes alone = get_one(engine, store, wanted[i].key);
    EXPECT(i == 1 ? alone.data == NULL : same(alone, expected[i]), "%s, %d", engine->name, i);
    EXPECT(i == 1 ? found[i].data == NULL : same(found[i], expected[i]), "%s, %d", engine->name, i);
    free((void *)alone.data);
    free((void *)found[i].data);
  }
}

static void test_store(const engine *engine, const char *level, const char *directory) {
  settings settings = {.directory = directory, .durability = level};
  void *store = open_store(engine, &settings);
  put_one(engine, store, &(entry){text("gone"), text("x")});
  entry batch[COUNT + 1] = {{text("gone"), nothing}};
  for (int i = 0; i < COUNT; i++) {
    batch[i + 1] = (entry){key(i), value(i)};
  }
  engine->write(store, batch, COUNT + 1);
  put_one(engine, store, &(entry){key(7), nothing});
  put_one(engine, store, &(entry){text("never there"), nothing});
  expect_contents(engine, store);
  engine->close(store);
  settings.read_only = strstr(engine->capabilities, "read-only") != NULL;
  store = open_store(engine, &settings);
  expect_contents(engine, store);
  engine->close(store);
}

static void test_stores(void) {
  for (const engine *const *each = engines; *each != NULL; each++) {
    if ((*each)->unavailable != NULL) {
      printf("%s is not tested: there is no %s\n", (*each)->name, (*each)->unavailable);
      continue;
    }
    for (const pair *level = (*each)->levels;
         level->name != NULL && strcmp((*each)->name, "null") != 0; level++) {
      char directory[] = "/tmp/player-XXXXXX", store[64], remove[64];
      EXPECT(mkdtemp(directory) != NULL, "%s", directory);
      snprintf(store, sizeof store, "%s/new/store", directory);
      test_store(*each, level->name, store);
      snprintf(remove, sizeof remove, "rm -rf %s", directory);
      EXPECT(system(remove) == 0, "%s stays", directory);
    }
  }
}

static void test_json(void) {
  const char *task =
      "{\"task\": \"a \\\"quoted\\\" \\u00e9\\n\", \"list\":[{\"x\":[1,2]},{\"x\":-2.5}],"
      "\"yes\":true,\"none\":null}";
  char *found = json_string(task, "task");
  EXPECT(found != NULL && strcmp(found, "a \"quoted\" \xc3\xa9\n") == 0, "it was %s", found);
  free(found);
  const char *second = json_next(json_first(json_member(task, "list")));
  EXPECT(json_number(second, "x") == -2.5 && json_next(second) == NULL, "it was %s", second);
  EXPECT(json_true(task, "yes") && !json_true(task, "none"), "a truth is wrong");
  EXPECT(json_string(task, "none") == NULL && json_member(task, "x") == NULL, "it has too much");
}

static void test_histogram(void) {
  int64_t all[] = {0, 1, 2047, 2048, 2049, 123456789, INT64_MAX};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    histogram histogram = {NULL};
    count(&histogram, all[i]);
    size_t at = 0;
    while (histogram.counts[at] == 0) {
      at++;
    }
    int64_t nanos = histogram_nanos(at);
    EXPECT(nanos <= all[i] && all[i] - nanos <= all[i] / 1000, "%lld was counted as %lld",
           (long long)all[i], (long long)nanos);
    free(histogram.counts);
  }
}

int main(void) {
  test_json();
  test_histogram();
  test_stores();
  printf("%d failures\n", failures);
  return failures > 0;
}
