package io.kvstadium.store;

import java.util.Locale;

/**
 * What survives once a write was acknowledged, that is, once the call returned. The levels are
 * ordered from weak to strong; each means the same on every engine.
 */
public enum Durability {
  /** Nothing is promised after a crash of the process or of the machine. */
  NONE,
  /** A killed process loses nothing acknowledged. A power cut may damage the store. */
  PROCESS,
  /**
   * A killed process loses nothing acknowledged. After a power cut the store opens and holds a
   * prefix of the acknowledged history, with batches whole. The default.
   */
  CONSISTENT,
  /** Nothing acknowledged is lost, neither to a kill nor to a power cut. */
  POWER,
  /** The engine's own defaults, whatever they promise; never compared as if it were a level. */
  ENGINE_DEFAULT;

  /** The word used in URLs, suite files and reports: {@code none}, {@code engine-default} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the level that a word names.
   *
   * @throws BadArgumentException if it names none
   */
  public static Durability of(String word) {
    for (Durability level : values()) {
      if (level.word().equals(word)) {
        return level;
      }
    }
    throw new BadArgumentException(
        "unknown durability '"
            + word
            + "': use none, process, consistent, power or engine-default");
  }
}
