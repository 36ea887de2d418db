/* Preloaded: fsync and fdatasync take SLOW_FLUSH microseconds longer, as on a disk that really flushes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slow(const char *name, int fd) {
  int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = flush(fd);
  const char *micros = getenv("SLOW_FLUSH");
  if (micros) usleep(atoi(micros));
  return result;
}

int fsync(int fd) { return slow("fsync", fd); }
int fdatasync(int fd) { return slow("fdatasync", fd); }
