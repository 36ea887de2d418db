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

  /** The number in the format. */
  @SuppressWarnings("EnumOrdinal") // as said above
  int code() {
    return ordinal();
  }

  static Kind of(int code) {
    return ALL[code];
  }

  static boolean is(int code) {
    return code < ALL.length;
  }
}
