package io.kvstadium.torture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The lives of a chain's workers: the operation with which each writer began in each life. After a
 * strike that lost something, the next life begins with the first missing operation.
 */
final class Lives {
  private final List<long[]> starts = new ArrayList<>();

  /** Begins a life; returns its number, which is how many there were before. */
  int begin(long[] start) {
    starts.add(start.clone());
    return starts.size() - 1;
  }

  /**
   * Whether an operation written in a life may still be there. A later life that began before the
   * operation has written it anew; one that began with it may not have reached it.
   */
  boolean mayHold(int life, int writer, long number) {
    if (life < 0 || life >= starts.size() || starts.get(life)[writer] > number) {
      return false;
    }
    return starts.subList(life + 1, starts.size()).stream()
        .allMatch(start -> start[writer] >= number);
  }

  /** Text that {@link #parse} reads. */
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
