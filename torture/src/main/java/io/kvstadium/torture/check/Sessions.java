package io.kvstadium.torture.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The sessions of a sequence's workers: the operation with which each writer began in each session.
 * After a fault that lost something, the next session begins with the first missing operation.
 */
public final class Sessions {
  private final List<long[]> starts = new ArrayList<>();

  /** Begins a session; returns its number, which is how many there were before. */
  public int begin(long[] start) {
    starts.add(start.clone());
    return starts.size() - 1;
  }

  /**
   * Whether an operation written in a session may still be there. A later session that began before
   * the operation has written it anew; one that began with it may not have reached it.
   */
  boolean mayHold(int session, int writer, long number) {
    if (session < 0 || session >= starts.size() || starts.get(session)[writer] > number) {
      return false;
    }
    return starts.subList(session + 1, starts.size()).stream()
        .allMatch(start -> start[writer] >= number);
  }

  /** Text that {@link #parse} reads. */
  public String text() {
    return starts.stream().map(Sessions::text).collect(Collectors.joining(";"));
  }

  public static Sessions parse(String text) {
    Sessions sessions = new Sessions();
    for (String start : text.split(";", -1)) {
      sessions.begin(counts(start));
    }
    return sessions;
  }

  public static String text(long[] counts) {
    return Arrays.stream(counts).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  public static long[] counts(String text) {
    return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
  }
}
