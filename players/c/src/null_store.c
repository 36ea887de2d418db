/* Keeps nothing: it measures the measuring. */
#include <stdio.h>

#include "store.h"

static void version(char *text, size_t size) { snprintf(text, size, "1"); }

static void *open_it(const settings *settings) {
  (void)settings;
  return "a store";
}

static void get_many(void *store, const entry *keys, size_t count, bytes *values) {
  (void)store, (void)keys, (void)count, (void)values;
}

static void write_all(void *store, const entry *batch, size_t count) {
  (void)store, (void)batch, (void)count;
}

static void scan(void *store, bytes from, visitor *visit, void *argument) {
  (void)store, (void)from, (void)visit, (void)argument;
}

static void close_it(void *store) { (void)store; }

const engine null_engine = {
    .name = "null",
    .title = "Null",
    .licence = "",
    .home = "",
    .capabilities = "\"write\",\"batch\"",
    .levels = {{"none", "nothing is kept"}, {"engine-default", "nothing is kept"}},
    STORE_FUNCTIONS,
};
