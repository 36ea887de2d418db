#include "play.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json.h"

enum {
  BLOCK = 4096,      /* results are checked after so many calls, */
  RESULTS = 4 << 20, /* or so many bytes: memory that a program would not hold is cold */
  INTERVAL_NANOS = 25000000,
  SOON_NANOS = 1000000, /* when the first call at a rate is due, at the earliest */
  SPIN_NANOS = 250000,  /* a sleep ends so late */
  EXACT = 1024,
};

/* What the threads of a task share. */
typedef struct {
  const play_task *task;
  int64_t origin;
  atomic_bool begun, over;
  atomic_size_t running; /* threads that are no background load */
} player;

/* What a call has brought. */
typedef struct outcome {
  bytes value;
  bytes *values;
  entry *entries; /* of a scan with a limit; a key and its value are one piece of memory */
  size_t count, size;
} outcome;

typedef struct {
  int64_t at, operations, busy;
} interval;

/* Plays one trace. */
typedef struct {
  player *player;
  const thread_task *given;
  pthread_t id;
  int acknowledged;
  size_t done, called;
  int64_t latencies[BLOCK];
  outcome outcomes[BLOCK];
  int64_t checking, ended; /* nanoseconds that are not timed, and after the beginning */
  int64_t nanos, operations, entries, read_bytes, written_bytes, misses, unstarted;
  char wrong[200];
  histogram latency, response, lateness;
  interval *intervals;
  size_t interval_count;
} worker;

int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int64_t processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void count(histogram *histogram, int64_t nanos) {
  if (histogram->counts == NULL) {
    histogram->counts = allocate(64 * EXACT, sizeof *histogram->counts);
  }
  uint64_t value = nanos < 0 ? 0 : (uint64_t)nanos;
  unsigned shift = value < 2 * EXACT ? 0 : 53 - (unsigned)__builtin_clzll(value);
  histogram->counts[shift * EXACT + (value >> shift)]++;
}

int64_t histogram_nanos(size_t at) {
  size_t shift = at < 2 * EXACT ? 0 : at / EXACT - 1;
  return (int64_t)(at - shift * EXACT) << shift;
}

void print_histogram(const histogram *histogram) {
  const char *comma = "";
  putchar('[');
  for (size_t i = 0; histogram->counts != NULL && i < 64 * EXACT; i++) {
    if (histogram->counts[i] > 0) {
      printf("%s[%" PRId64 ",%" PRIu64 "]", comma, histogram_nanos(i), histogram->counts[i]);
      comma = ",";
    }
  }
  putchar(']');
}

static int64_t since(const worker *worker) { return now() - worker->player->origin; }

static int64_t limit(const worker *worker) {
  double seconds = worker->player->task->seconds;
  return seconds > 0 ? (int64_t)(seconds * 1e9) : INT64_MAX / 4;
}

/* A scan under way. */
typedef struct {
  outcome *outcome;
  int64_t limit;
} scan;

/* Brings a key and its value into memory of the program's own. */
static bool scanned(void *argument, bytes key, bytes value) {
  scan *scan = argument;
  outcome *outcome = scan->outcome;
  char *memory = malloc(key.size + value.size + 1);
  if (memory == NULL) {
    fail("there is no memory for an entry of %zu bytes", key.size + value.size);
  }
  memcpy(memory, key.data, key.size);
  memcpy(memory + key.size, value.data, value.size);
  if (scan->limit > 0) {
    outcome->entries = with_room(outcome->entries, outcome->count, sizeof(entry));
    outcome->entries[outcome->count] = (entry){{memory, key.size}, {memory + key.size, value.size}};
  } else {
    __asm__ volatile("" ::"r"(memory) : "memory"); /* so that the compiler makes the copy */
    free(memory);
  }
  outcome->count++;
  outcome->size += key.size + value.size;
  return scan->limit <= 0 || outcome->count < (size_t)scan->limit;
}

static bytes get(const play_task *task, bytes key) {
  if (task->store != NULL) {
    return get_one(task->engine, task->store, key);
  }
  void *store = open_store(task->engine, task->settings);
  bytes value = get_one(task->engine, store, key);
  task->engine->close(store);
  return value;
}

/* Makes one call: what a program would write. */
static void make_call(worker *worker, size_t number, outcome *outcome) {
  const trace *trace = &worker->given->trace;
  const call *call = &trace->calls[number];
  const operation *operation = &trace->operations[call->first];
  const entry *entries = &trace->entries[call->first];
  const play_task *task = worker->player->task;
  const engine *engine = task->engine;
  void *store = task->store;
  *outcome = (struct outcome){0};
  if (operation->kind == GET && call->size == 1) {
    outcome->value = get(task, entries->key);
  } else if (operation->kind == GET && operation[1].kind == PUT) { /* a read-modify-write */
    outcome->value = get_one(engine, store, entries->key);
    put_one(engine, store, &entries[1]);
  } else if (operation->kind == GET) {
    outcome->values = allocate(call->size, sizeof(bytes));
    engine->get_many(store, entries, call->size, outcome->values);
  } else if (operation->kind == SCAN) {
    scan scan = {outcome, operation->limit};
    engine->scan(store, entries->key, scanned, &scan);
  } else if (call->bounded) {
    engine->write(store, entries, call->size);
  } else {
    put_one(engine, store, entries);
  }
  if (worker->acknowledged >= 0) {
    char text[32];
    int size = snprintf(text, sizeof text, "%zu\n", ++worker->called);
    if (pwrite(worker->acknowledged, text, (size_t)size, 0) != size) {
      fail("%s: %s", worker->given->acknowledge, strerror(errno));
    }
  }
}

static void wrong(worker *worker, const char *what, bytes key) {
  if (worker->wrong[0] == 0) {
    char hex[65] = "";
    for (size_t i = 0; i < key.size && i < 32; i++) {
      sprintf(hex + 2 * i, "%02x", (unsigned char)key.data[i]);
    }
    snprintf(worker->wrong, sizeof worker->wrong, what, hex);
  }
}

static void check_get(worker *worker, const operation *operation, const entry *entry, bytes found) {
  worker->entries++;
  worker->read_bytes += (int64_t)(entry->key.size + found.size);
  if (!operation->hit && found.data != NULL) {
    wrong(worker, "key %s was read after it had been deleted", entry->key);
  } else if (operation->hit && found.data == NULL) {
    worker->misses++;
  } else if (operation->hit && entry->value.data != NULL &&
             (found.size != entry->value.size ||
              memcmp(found.data, entry->value.data, found.size) != 0)) {
    wrong(worker, "key %s gave other bytes than were written", entry->key);
  }
}

static void check_scan(worker *worker, const operation *operation, const entry *entry,
                       const outcome *outcome) {
  worker->entries += (int64_t)outcome->count;
  worker->read_bytes += (int64_t)outcome->size;
  if (operation->limit > 0 && operation->hit) {
    bytes key = entry->key, first = {NULL, 0}, value = entry->value;
    if (outcome->count > 0) {
      first = outcome->entries[0].key;
    }
    if (first.data == NULL || first.size != key.size ||
        memcmp(first.data, key.data, key.size) != 0) {
      worker->misses++;
    } else if (value.data != NULL) {
      bytes found = outcome->entries[0].value;
      if (found.size > value.size || memcmp(found.data, value.data, found.size) != 0) {
        wrong(worker, "a scan from key %s gave other bytes than were written", key);
      }
    }
  }
  if (operation->count >= 0 && outcome->count != (size_t)operation->count) {
    char what[100];
    snprintf(what, sizeof what, "a scan from key %%s found %zu entries where there are %" PRId64,
             outcome->count, operation->count);
    wrong(worker, what, entry->key);
  }
}

/* Compares what a call has brought with what it should, and frees it. */
static void check(worker *worker, const call *call, outcome *outcome) {
  const operation *operations = &worker->given->trace.operations[call->first];
  const entry *entries = &worker->given->trace.entries[call->first];
  if (operations->kind == SCAN) {
    check_scan(worker, operations, entries, outcome);
  }
  for (size_t i = 0; i < call->size; i++) {
    if (operations[i].kind == GET) {
      bytes found = outcome->values != NULL ? outcome->values[i] : outcome->value;
      check_get(worker, &operations[i], &entries[i], found);
      free((void *)found.data);
    } else if (operations[i].kind != SCAN) {
      worker->entries++;
      worker->written_bytes += (int64_t)(entries[i].key.size + entries[i].value.size);
    }
  }
  if (operations->kind == GET && call->size == 2 && operations[1].kind == PUT) {
    worker->read_bytes -= (int64_t)entries->key.size; /* it counts once */
  }
  for (size_t i = 0; outcome->entries != NULL && i < outcome->count; i++) {
    free((void *)outcome->entries[i].key.data);
  }
  free(outcome->entries);
  free(outcome->values);
}

/* Counts and checks calls that have ended; untimed. */
static void account(worker *worker, size_t calls, int64_t begin) {
  int64_t operations = 0, busy = 0, at = begin;
  for (size_t i = 0; i < calls; i++) {
    const call *call = &worker->given->trace.calls[worker->done + i];
    bool reads = worker->given->trace.operations[call->first].kind == GET;
    int64_t own = reads ? 1 : (int64_t)call->size;
    count(&worker->latency, worker->latencies[i]);
    busy += worker->latencies[i];
    at += worker->latencies[i];
    operations += own;
    worker->operations += own;
    if (busy >= INTERVAL_NANOS || i == calls - 1) {
      worker->intervals =
          with_room(worker->intervals, worker->interval_count, sizeof *worker->intervals);
      worker->intervals[worker->interval_count++] = (interval){at, operations, busy};
      operations = busy = 0;
    }
    check(worker, call, &worker->outcomes[i]);
  }
  worker->done += calls;
}

/* Runs calls one after the other, and then checks what they brought. Each reading of the clock
 * ends a call and begins the next. */
static void run_block(worker *worker) {
  size_t calls = worker->given->trace.call_count - worker->done;
  calls = calls < BLOCK ? calls : BLOCK;
  int64_t begin = since(worker), before = begin;
  int64_t deadline = begin + limit(worker) - worker->nanos;
  size_t made = 0, results = 0;
  while (made < calls && results < RESULTS && before <= deadline &&
         !atomic_load(&worker->player->over)) {
    make_call(worker, worker->done + made, &worker->outcomes[made]);
    int64_t time = since(worker);
    results += worker->outcomes[made].size + worker->outcomes[made].value.size;
    worker->latencies[made++] = time - before;
    before = time;
  }
  worker->nanos += before - begin;
  account(worker, made, begin);
  worker->checking += since(worker) - before;
}

/* Sleeps while there is time to spare, and spins for the last stretch. */
static void await(const worker *worker, int64_t due) {
  for (int64_t left = due - since(worker); left > 0; left = due - since(worker)) {
    if (left > SPIN_NANOS) {
      int64_t nanos = left - SPIN_NANOS;
      nanosleep(&(struct timespec){nanos / 1000000000, nanos % 1000000000}, NULL);
    } else {
      sched_yield();
    }
  }
}

/* Begins each call when it is due, or as soon as the one before has ended. */
static void run_at_rate(worker *worker) {
  const thread_task *given = worker->given;
  int64_t until = limit(worker);
  for (size_t number = 0; number < given->trace.call_count; number++) {
    int64_t offset = (int64_t)(given->first + (double)number * given->period);
    int64_t due = offset + SOON_NANOS;
    if (offset >= until || atomic_load(&worker->player->over)) {
      break;
    }
    int64_t time = since(worker);
    if (time - SOON_NANOS > until) {
      worker->unstarted++; /* whoever waits for it still does */
      count(&worker->response, until - offset);
      continue;
    }
    bool early = time < due;
    if (early) {
      await(worker, due);
      if (given->background && atomic_load(&worker->player->over)) {
        break;
      }
    }
    int64_t begin = since(worker);
    make_call(worker, number, &worker->outcomes[0]);
    int64_t end = since(worker);
    worker->latencies[0] = end - begin;
    worker->nanos += end - begin;
    count(&worker->response, end - due);
    if (early) {
      count(&worker->lateness, begin - due);
    }
    worker->done = number;
    account(worker, 1, begin);
    worker->checking += since(worker) - end;
  }
}

static void *run(void *argument) {
  worker *worker = argument;
  player *player = worker->player;
  const thread_task *given = worker->given;
  while (!atomic_load(&player->begun)) {
    sched_yield();
  }
  if (given->period > 0) {
    run_at_rate(worker);
  } else {
    while (worker->done < given->trace.call_count && !atomic_load(&player->over) &&
           worker->nanos < limit(worker)) {
      run_block(worker);
    }
  }
  bool last = !given->background && atomic_fetch_sub(&player->running, 1) == 1;
  bool beside = given->background && given->period > 0;
  if (last || (player->task->seconds > 0 && !beside)) {
    atomic_store(&player->over, true);
  }
  worker->ended = since(worker);
  return NULL;
}

static void print_thread(const worker *worker) {
  printf("{\"nanos\":%" PRId64 ",\"operations\":%" PRId64 ",\"entries\":%" PRId64
         ",\"readBytes\":%" PRId64 ",\"writtenBytes\":%" PRId64 ",\"misses\":%" PRId64
         ",\"unstarted\":%" PRId64 ",\"wrong\":",
         worker->nanos, worker->operations, worker->entries, worker->read_bytes,
         worker->written_bytes, worker->misses, worker->unstarted);
  if (worker->wrong[0] != 0) {
    json_print(worker->wrong);
  } else {
    printf("null");
  }
  printf(",\"latencies\":");
  print_histogram(&worker->latency);
  printf(",\"responses\":");
  print_histogram(&worker->response);
  printf(",\"lateness\":");
  print_histogram(&worker->lateness);
  printf(",\"intervals\":[");
  for (size_t i = 0; i < worker->interval_count; i++) {
    const interval *each = &worker->intervals[i];
    printf("%s[%" PRId64 ",%" PRId64 ",%" PRId64 "]", i > 0 ? "," : "", each->at, each->operations,
           each->busy);
  }
  printf("]}");
}

static worker *new_worker(player *player, const thread_task *given) {
  worker *worker = allocate(1, sizeof *worker);
  worker->player = player;
  worker->given = given;
  worker->acknowledged = -1;
  if (given->acknowledge != NULL) {
    worker->acknowledged = open(given->acknowledge, O_WRONLY | O_CREAT, 0666);
    if (worker->acknowledged < 0) {
      fail("%s: %s", given->acknowledge, strerror(errno));
    }
  }
  if (!given->background) {
    player->running++;
  }
  return worker;
}

static void free_worker(worker *worker) {
  if (worker->acknowledged >= 0) {
    close(worker->acknowledged);
  }
  free(worker->latency.counts);
  free(worker->response.counts);
  free(worker->lateness.counts);
  free(worker->intervals);
  free(worker);
}

void play(const play_task *task) {
  player player = {.task = task};
  worker **workers = allocate(task->thread_count, sizeof *workers);
  for (size_t i = 0; i < task->thread_count; i++) {
    workers[i] = new_worker(&player, &task->threads[i]);
  }
  for (size_t i = 0; i < task->thread_count; i++) {
    int error = pthread_create(&workers[i]->id, NULL, run, workers[i]);
    if (error != 0) {
      fail("thread %zu does not start: %s", i, strerror(error));
    }
  }
  int64_t used = processor_time(), nanos = 0;
  player.origin = now();
  atomic_store(&player.begun, true);
  for (size_t i = 0; i < task->thread_count; i++) {
    pthread_join(workers[i]->id, NULL);
  }
  used = processor_time() - used;
  for (size_t i = 0; i < task->thread_count; i++) {
    used -= workers[i]->checking;
    if (!workers[i]->given->background && workers[i]->ended > nanos) {
      nanos = workers[i]->ended;
    }
  }
  printf("@stadium {\"type\":\"played\",\"nanos\":%" PRId64 ",\"cpuNanos\":%" PRId64
         ",\"threads\":[",
         nanos, used > 0 ? used : 0);
  for (size_t i = 0; i < task->thread_count; i++) {
    printf("%s", i > 0 ? "," : "");
    print_thread(workers[i]);
    free_worker(workers[i]);
  }
  printf("]}\n");
  fflush(stdout);
  free(workers);
}
