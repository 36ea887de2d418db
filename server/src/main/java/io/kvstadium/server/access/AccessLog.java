package io.kvstadium.server.access;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The latest requests that were not allowed, and refused logins. Safe for all threads. */
public final class AccessLog {
  /** Similar entries within this time are counted together, as in Redis. */
  private static final long ALIKE_MILLIS = 60_000;

  private static final int CHARACTERS = 128;

  /**
   * One refusal, or several similar ones.
   *
   * @param reason what was not allowed, or {@code auth}
   * @param context {@code toplevel} or {@code multi}
   * @param object the command, key, channel or table
   * @param latest Unix time in milliseconds
   * @param client as CLIENT LIST shows it
   */
  public record Entry(
      long count,
      String reason,
      String context,
      String object,
      String user,
      long latest,
      String client) {
    private boolean isLike(Entry other) {
      return reason.equals(other.reason)
          && context.equals(other.context)
          && object.equals(other.object)
          && user.equals(other.user)
          && other.latest - latest <= ALIKE_MILLIS;
    }
  }

  private final InstantSource clock;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long max = 128;

  public AccessLog(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Something was not allowed.
   *
   * @param context where: multi, lua or toplevel
   */
  public synchronized void add(
      String reason, String context, String object, String user, String client) {
    Entry entry = new Entry(1, reason, context, shown(object), shown(user), clock.millis(), client);
    for (Iterator<Entry> all = entries.iterator(); all.hasNext(); ) {
      Entry each = all.next();
      if (each.isLike(entry)) {
        all.remove();
        entry =
            new Entry(
                each.count + 1, reason, context, entry.object, entry.user, entry.latest, client);
        break;
      }
    }
    entries.addFirst(entry);
    shorten();
  }

  /** As much of a name as fits on a line: a hostile client may have sent it. */
  private static String shown(String name) {
    return name.length() <= CHARACTERS ? name : name.substring(0, CHARACTERS) + "…";
  }

  private void shorten() {
    while (entries.size() > max) {
      entries.removeLast();
    }
  }

  public synchronized long max() {
    return max;
  }

  /** Keeps this many entries from now on. */
  public synchronized void max(long count) {
    max = count;
    shorten();
  }

  public synchronized void clear() {
    entries.clear();
  }

  /** At most this many entries, the latest first. */
  public synchronized List<Entry> latest(long count) {
    return new ArrayList<>(entries).subList(0, (int) Math.min(count, entries.size()));
  }
}
