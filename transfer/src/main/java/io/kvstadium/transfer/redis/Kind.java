package io.kvstadium.transfer.redis;

import java.util.Locale;

/** What a key holds. */
public enum Kind {
  STRING(0),
  HASH(1),
  LIST(2),
  SET(3),
  ZSET(4),
  STREAM(5);

  private static final Kind[] ALL = values();

  private final int code;

  Kind(int code) {
    this.code = code;
  }

  /** The number that stands for it in the store. */
  public int code() {
    return code;
  }

  /** The word of TYPE. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static boolean is(int code) {
    return code < ALL.length;
  }

  /** The kind with a number that {@link #is} accepts. */
  public static Kind of(int code) {
    return ALL[code];
  }
}
