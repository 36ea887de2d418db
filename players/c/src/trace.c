#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_HEADER = 16, BLOCK_HEADER = 12, CHUNK = 1 << 20 };

/* A block that is read, and the keys that it has named so far. */
typedef struct {
  const unsigned char *at, *end;
  bytes *keys;
  int64_t *lengths; /* of their values */
  size_t key_count;
} block;

/* Memory for keys. */
struct chunk {
  struct chunk *before;
  size_t used;
  char memory[];
};

bytes map_file(const char *path) {
  struct stat info;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &info) != 0) {
    fail("%s: %s", path, strerror(errno));
  }
  bytes content = {"", (size_t)info.st_size};
  if (content.size > 0) {
    content.data = mmap(NULL, content.size, PROT_READ, MAP_SHARED, file, 0);
    if (content.data == MAP_FAILED) {
      fail("%s: %s", path, strerror(errno));
    }
  }
  close(file);
  return content;
}

void unmap_file(bytes content) {
  if (content.size > 0) {
    munmap((void *)content.data, content.size);
  }
}

static char *keep(trace *trace, size_t size) {
  struct chunk *last = trace->chunks;
  if (last == NULL || last->used + size > CHUNK) {
    last = allocate(1, sizeof *last + (size > CHUNK ? size : CHUNK));
    last->before = trace->chunks;
    trace->chunks = last;
  }
  last->used += size;
  return last->memory + last->used - size;
}

static unsigned byte(block *block) {
  if (block->at == block->end) {
    fail("a block of the trace ends too early");
  }
  return *block->at++;
}

static uint64_t varint(block *block) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    unsigned next = byte(block);
    value |= (uint64_t)(next & 0x7f) << shift;
    if (next < 0x80) {
      return value;
    }
  }
  fail("a number of the trace is too long");
}

/* The number of the key that is next in a block, or -1. */
static int64_t key_number(trace *trace, block *block) {
  uint64_t code = varint(block);
  if (code > 0) {
    if (code - 1 > block->key_count) {
      fail("a block of the trace has no key %llu", (unsigned long long)code - 2);
    }
    return (int64_t)code - 2;
  }
  bytes before = block->key_count > 0 ? block->keys[block->key_count - 1] : (bytes){"", 0};
  size_t common = varint(block), more = varint(block);
  if (common > before.size || more > (size_t)(block->end - block->at)) {
    fail("a key of the trace is longer than its block");
  }
  char *key = keep(trace, common + more);
  memcpy(key, before.data, common);
  memcpy(key + common, block->at, more);
  block->at += more;
  block->keys = with_room(block->keys, block->key_count, sizeof *block->keys);
  block->lengths = with_room(block->lengths, block->key_count, sizeof *block->lengths);
  block->keys[block->key_count] = (bytes){key, common + more};
  block->lengths[block->key_count] = 0;
  return (int64_t)block->key_count++;
}

/* Reads the next operation and its key, and the length of its value, or what a value counts; -1 if
 * it is not known. */
static operation next_operation(trace *trace, block *block, bytes *key, int64_t *length) {
  unsigned first = byte(block);
  operation next = {first & 0x1f, true, -1, -1};
  if ((first & 0x60) != 0) {
    fail("an operation of the trace has a thread or a table");
  }
  if ((first & 0x80) != 0) {
    next.hit = byte(block) == 0;
  }
  varint(block); /* time */
  varint(block); /* duration */
  *key = (bytes){"", 0};
  if (next.kind == GET || next.kind == PUT || next.kind == DELETE || next.kind == SCAN) {
    int64_t number = key_number(trace, block);
    if (number >= 0) {
      *key = block->keys[number];
    } else if (next.kind != SCAN) {
      fail("an operation of the trace has no key");
    }
    if (next.kind == GET || next.kind == PUT) {
      uint64_t code = varint(block);
      *length = block->lengths[number] + (int64_t)(code >> 1 ^ -(code & 1));
      if (*length >= 0) {
        block->lengths[number] = *length;
      }
    } else if (next.kind == SCAN) {
      key_number(trace, block); /* upper bound: there is none */
      byte(block);
      next.limit = (int64_t)varint(block) - 1;
      varint(block); /* length */
      next.count = (int64_t)varint(block) - 1;
    }
  } else if (next.kind == VALUE) {
    *length = (int64_t)varint(block) - 1;
  } else if (next.kind != BATCH && next.kind != BATCH_END) {
    fail("operation %d of the trace is not played", next.kind);
  }
  return next;
}

/* The operations from a number on are a call. */
static void add_call(trace *trace, size_t first, bool bounded) {
  trace->calls = with_room(trace->calls, trace->call_count, sizeof *trace->calls);
  trace->calls[trace->call_count++] = (call){first, trace->size - first, bounded};
}

/* What is under way between blocks. */
typedef struct {
  bool inside;   /* a batch */
  size_t first;  /* operation of it */
  int64_t value; /* where that of the next operation begins, or -1 */
} state;

static void read_operation(trace *trace, block *block, state *state, bytes values) {
  bytes key;
  int64_t length = -1;
  operation next = next_operation(trace, block, &key, &length);
  if (next.kind == VALUE) {
    state->value = length;
  } else if (next.kind == BATCH) {
    state->inside = true;
    state->first = trace->size;
  } else if (next.kind == BATCH_END) {
    state->inside = false;
    if (trace->size > state->first) {
      add_call(trace, state->first, true);
    }
  } else {
    bytes value = {NULL, 0};
    if (state->value >= 0) {
      size_t left = values.size - (size_t)state->value;
      value = (bytes){values.data + state->value, next.kind == SCAN ? left : (size_t)length};
      if ((size_t)state->value > values.size || value.size > left) {
        fail("a value of the trace is not in the file of values");
      }
    }
    state->value = -1;
    trace->operations = with_room(trace->operations, trace->size, sizeof(operation));
    trace->entries = with_room(trace->entries, trace->size, sizeof(entry));
    trace->operations[trace->size] = next;
    trace->entries[trace->size++] = (entry){key, value};
    if (!state->inside) {
      add_call(trace, trace->size - 1, false);
    }
  }
}

/* Reads what is written, so that it is in memory. */
static void touch(const trace *trace) {
  volatile char touched = 0;
  for (size_t i = 0; i < trace->size; i++) {
    for (size_t at = 0; trace->operations[i].kind == PUT && at < trace->entries[i].value.size;
         at += 4096) {
      touched = trace->entries[i].value.data[at];
    }
  }
  (void)touched;
}

trace read_trace(const char *path, bytes values) {
  bytes file = map_file(path);
  const unsigned char *at = (const unsigned char *)file.data, *end = at + file.size;
  if (file.size < FILE_HEADER || memcmp(at, "\x89KVTRAC\n", 8) != 0 || at[8] > 2) {
    fail("%s is not a trace of version 2", path);
  }
  trace trace = {0};
  state state = {false, 0, -1};
  for (at += FILE_HEADER; end - at >= BLOCK_HEADER;) {
    bool operations = at[4] == 'O';
    size_t size = (size_t)at[5] << 16 | (size_t)at[6] << 8 | at[7];
    at += BLOCK_HEADER;
    if (size > (size_t)(end - at)) {
      fail("%s: a block ends too early", path);
    }
    if (operations) {
      block block = {at, at + size, NULL, NULL, 0};
      for (int i = 0; i < 4; i++) {
        varint(&block); /* numbers of the block */
      }
      while (block.at < block.end) {
        read_operation(&trace, &block, &state, values);
      }
      free(block.keys);
      free(block.lengths);
    }
    at += size;
  }
  unmap_file(file);
  touch(&trace);
  return trace;
}

void free_trace(trace *trace) {
  while (trace->chunks != NULL) {
    struct chunk *last = trace->chunks;
    trace->chunks = last->before;
    free(last);
  }
  free(trace->operations);
  free(trace->entries);
  free(trace->calls);
}
