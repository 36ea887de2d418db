/* A player of traces for KV Stadium, on stores of C; see docs/internals/player-protocol.md. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "play.h"
#include "store.h"

/* The store that is open, and how it was opened. */
typedef struct {
  const engine *engine;
  void *store;
} session;

static void print_pairs(const char *name, const pair *pairs, size_t size) {
  printf(",\"%s\":{", name);
  for (size_t i = 0; i < size && pairs[i].name != NULL; i++) {
    printf("%s\"%s\":\"%s\"", i > 0 ? "," : "", pairs[i].name, pairs[i].value);
  }
  printf("}");
}

static void describe_engine(const engine *engine, const char *program) {
  char version[32] = "";
  if (engine->unavailable == NULL) {
    engine->version(version, sizeof version);
  }
  printf("{\"name\":\"%s\",\"title\":\"%s\",\"version\":\"%s\",\"access\":[\"single\"]",
         engine->name, engine->title, version);
  if (engine->unavailable != NULL) {
    printf(
        ",\"capabilities\":[],\"durability\":{},\"options\":{},\"legacy\":false,\"unavailable\":");
    char reason[5000];
    snprintf(reason, sizeof reason,
             "%s was not there when its player was built: install it, and remove %s, so that it is "
             "built again",
             engine->unavailable, program);
    json_print(reason);
  } else {
    printf(",\"licence\":\"%s\",\"home\":\"%s\",\"capabilities\":[%s]", engine->licence,
           engine->home, engine->capabilities);
    print_pairs("durability", engine->levels, sizeof engine->levels / sizeof(pair));
    const char *filter = engine->filter == NULL ? "" : engine->filter;
    if (*filter != 0) {
      printf(",\"options\":{\"filter\":[\"%s\"]},\"tries\":{\"filter\":[\"%s\"]}", filter, filter);
    } else {
      printf(",\"options\":{}");
    }
    printf(",\"legacy\":false,\"unavailable\":null");
  }
  printf("}");
}

static void describe(const char *program) {
  printf(
      "@stadium {\"type\":\"hello\",\"protocol\":3,\"language\":\"c\",\"version\":\"cc %s\","
      "\"plays\":[\"threads\",\"rate\",\"background\"],\"engines\":[",
      __VERSION__);
  for (const engine *const *each = engines; *each != NULL; each++) {
    printf("%s", each == engines ? "" : ",");
    describe_engine(*each, program);
  }
  printf("]}\n");
}

static char *required(const char *task, const char *name) {
  char *text = json_string(task, name);
  if (text == NULL) {
    fail("a task has no '%s'", name);
  }
  return text;
}

static settings read_settings(const char *task) {
  const char *options = json_member(task, "options");
  char *read_only = json_string(options, "read_only");
  settings settings = {.directory = required(task, "directory"),
                       .durability = required(task, "durability"),
                       .read_only = read_only != NULL && strcmp(read_only, "true") == 0,
                       .filter = json_string(options, "filter")};
  free(read_only);
  return settings;
}

static void free_settings(settings *settings) {
  free((void *)settings->directory);
  free((void *)settings->durability);
  free((void *)settings->filter);
}

/* A file of entries has, of each: the lengths of key and value, in four bytes each, the key, and
 * the value. */
static bool dumped(void *file, bytes key, bytes value) {
  unsigned char head[8];
  for (int i = 0; i < 4; i++) {
    head[i] = (unsigned char)(key.size >> (24 - 8 * i));
    head[4 + i] = (unsigned char)(value.size >> (24 - 8 * i));
  }
  fwrite(head, 1, sizeof head, file);
  fwrite(key.data, 1, key.size, file);
  fwrite(value.data, 1, value.size, file);
  return !ferror(file);
}

static void dump(const session *session, const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    fail("%s: %s", path, strerror(errno));
  }
  session->engine->scan(session->store, (bytes){"", 0}, dumped, file);
  bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed) {
    fail("%s: %s", path, strerror(errno));
  }
}

static void play_all(const session *session, const char *task, bool opening) {
  char *values_path = required(task, "values");
  bytes values = map_file(values_path);
  settings settings = {0};
  play_task playing = {.engine = session->engine,
                       .store = opening ? NULL : session->store,
                       .seconds = json_number(task, "seconds"),
                       .settings = &settings};
  if (opening) {
    char *name = required(task, "engine");
    playing.engine = find_engine(name);
    settings = read_settings(task);
    free(name);
  }
  const char *threads = json_member(task, "threads");
  for (const char *each = threads == NULL ? NULL : json_first(threads); each != NULL;
       each = json_next(each)) {
    char *path = required(each, "trace");
    playing.threads = with_room(playing.threads, playing.thread_count, sizeof *playing.threads);
    playing.threads[playing.thread_count++] =
        (thread_task){.trace = read_trace(path, values),
                      .background = json_true(each, "background"),
                      .first = json_number(each, "first"),
                      .period = json_number(each, "period"),
                      .acknowledge = json_string(each, "acknowledge")};
    free(path);
  }
  play(&playing);
  for (size_t i = 0; i < playing.thread_count; i++) {
    free_trace(&playing.threads[i].trace);
    free((void *)playing.threads[i].acknowledge);
  }
  free(playing.threads);
  free_settings(&settings);
  unmap_file(values);
  free(values_path);
}

static void open_task(session *session, const char *task) {
  char *name = required(task, "engine");
  settings settings = read_settings(task);
  session->engine = find_engine(name);
  session->store = open_store(session->engine, &settings);
  free_settings(&settings);
  free(name);
}

static void require_store(const session *session, const char *name) {
  if (session->store == NULL) {
    fail("%s: no store is open", name);
  }
}

/* Does a task, and answers it. */
static void do_task(session *session, const char *task) {
  char *name = required(task, "task");
  int64_t begin = now();
  uint64_t jobs = 0, pending = 0;
  bool known = false;
  if (strcmp(name, "play_opening") == 0) {
    play_all(session, task, true);
    free(name);
    return;
  }
  if (strcmp(name, "open") == 0) {
    open_task(session, task);
  } else {
    require_store(session, name);
    if (strcmp(name, "play") == 0) {
      play_all(session, task, false);
      free(name);
      return;
    } else if (strcmp(name, "close") == 0) {
      session->engine->close(session->store);
      session->store = NULL;
    } else if (strcmp(name, "dump") == 0) {
      char *path = required(task, "file");
      dump(session, path);
      free(path);
    } else if (strcmp(name, "background") == 0) {
      known = session->engine->background != NULL;
      if (known) {
        session->engine->background(session->store, &jobs, &pending);
      }
    } else {
      fail("there is no task '%s'", name);
    }
  }
  printf("@stadium {\"type\":\"played\",\"nanos\":%" PRId64, now() - begin);
  if (known) {
    printf(",\"jobs\":%" PRIu64 ",\"pendingBytes\":%" PRIu64, jobs, pending);
  }
  printf("}\n");
  free(name);
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "describe") == 0) {
    describe(arguments[0]);
  } else if (count == 2 && strcmp(arguments[1], "play") == 0) {
    signal(SIGINT, SIG_IGN); /* the parent decides */
    session session = {0};
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
      do_task(&session, line);
      fflush(stdout);
    }
    free(line);
  } else {
    fail("give describe or play, and see docs/internals/player-protocol.md");
  }
  return 0;
}
