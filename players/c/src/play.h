/* Plays the traces of a task, each in a thread of its own. */
#ifndef PLAY_H
#define PLAY_H

#include "store.h"
#include "trace.h"

/* A thread of a task: one trace. */
typedef struct {
  trace trace;
  bool background;
  double first, period;    /* nanoseconds; a period of 0: one call after the other */
  const char *acknowledge; /* a file for the number of calls that have returned, or NULL */
} thread_task;

/* The store is NULL if each call opens and closes it. */
typedef struct {
  const engine *engine;
  const settings *settings;
  void *store;
  double seconds; /* 0: no limit */
  thread_task *threads;
  size_t thread_count;
} play_task;

/* Plays, and prints the answer. */
void play(const play_task *task);

/* Nanoseconds of a clock that only goes on. */
int64_t now(void);

int64_t processor_time(void);

/* Durations, exact to 1 in 1,024. */
typedef struct {
  uint64_t *counts; /* NULL: none yet */
} histogram;

void count(histogram *histogram, int64_t nanos);

/* The shortest duration that is counted at a place. */
int64_t histogram_nanos(size_t at);

/* Prints pairs of nanoseconds and how many there are. */
void print_histogram(const histogram *histogram);

#endif
