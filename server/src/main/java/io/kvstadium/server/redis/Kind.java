package io.kvstadium.server.redis;

import java.util.Locale;

/** What a key holds. The order is part of the format. */
enum Kind {
  STRING,
  HASH,
  LIST,
  SET,
  ZSET;

  private static final Kind[] ALL = values();

  /** The word of TYPE. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Kind of(int ordinal) {
    return ALL[ordinal];
  }

  static boolean is(int ordinal) {
    return ordinal < ALL.length;
  }
}
