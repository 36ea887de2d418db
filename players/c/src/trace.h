/* Files of operations; see docs/internals/trace-format.md. */
#ifndef TRACE_H
#define TRACE_H

#include "store.h"

enum kind { GET = 0, PUT = 2, DELETE = 5, SCAN = 8, BATCH = 10, BATCH_END = 11, VALUE = 19 };

typedef struct {
  enum kind kind;
  bool hit;
  int64_t limit; /* of a scan; negative: none */
  int64_t count; /* of a scan's entries; negative: not known. Of a value: where it begins */
} operation;

/* One operation, or several: a batch, a get of several keys, a read-modify-write. */
typedef struct {
  size_t first, size;
  bool bounded;
} call;

/* The entry of an operation has its key, and the value that it writes or should read. The value
 * of a scan is that of its first entry, and what follows. */
typedef struct {
  operation *operations;
  entry *entries;
  call *calls;
  size_t size, call_count;
  struct chunk *chunks; /* memory of keys */
} trace;

/* Reads all calls of a file. A batch may go on in the next block. Checksums are not checked. */
trace read_trace(const char *path, bytes values);

/* A file in memory, with pages that are read when they are used. */
bytes map_file(const char *path);
void unmap_file(bytes content);

/* Without the bytes of values. */
void free_trace(trace *trace);

#endif
