package io.kvstadium.bench.machine;

/** How the two versions of control groups name the same things. */
enum GroupVersion {
  V1(
      "v1",
      "memory.limit_in_bytes",
      "memory.max_usage_in_bytes",
      "total_rss",
      "total_cache",
      "memory.oom_control"),
  V2("v2", "memory.max", "memory.peak", "anon", "file", "memory.events");

  private final String word;
  private final String limit;
  private final String peak;
  private final String anonymous;
  private final String file;
  private final String events;

  GroupVersion(
      String word, String limit, String peak, String anonymous, String file, String events) {
    this.word = word;
    this.limit = limit;
    this.peak = peak;
    this.anonymous = anonymous;
    this.file = file;
    this.events = events;
  }

  String word() {
    return word;
  }

  /** File that takes the limit. */
  String limit() {
    return limit;
  }

  /** File with the peak of what was used. */
  String peak() {
    return peak;
  }

  /** Line of memory.stat. */
  String anonymous() {
    return anonymous;
  }

  /** Line of memory.stat; both versions count pages of tmpfs here too. */
  String file() {
    return file;
  }

  /** File with a line {@code oom_kill}. */
  String events() {
    return events;
  }
}
