package io.kvstadium.torture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The lives of a chain's workers: with which operation each writer began in each of them. After a
 * strike that took something, the next life begins with the first operation that is missing.
 */
final class Lives {
  private final List<long[]> starts = new ArrayList<>();

  /** A life begins, its number is how many there were before. */
  int begin(long[] start) {
    starts.add(start.clone());
    return starts.size() - 1;
  }

  /**
   * Whether an operation written in a life may be there still. A later one that began at or before
   * it has written it anew, or had no time to do so if it began just there.
   */
  boolean mayHold(int life, int writer, long number) {
    if (life < 0 || life >= starts.size() || starts.get(life)[writer] > number) {
      return false;
    }
    return starts.subList(life + 1, starts.size()).stream()
        .allMatch(start -> start[writer] >= number);
  }

  /** As {@link #parse} reads it. */
  String text() {
    return starts.stream().map(Lives::text).collect(Collectors.joining(";"));
  }

  static Lives parse(String text) {
    Lives lives = new Lives();
    for (String start : text.split(";", -1)) {
      lives.begin(counts(start));
    }
    return lives;
  }

  static String text(long[] counts) {
    return Arrays.stream(counts).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  static long[] counts(String text) {
    return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
  }
}
