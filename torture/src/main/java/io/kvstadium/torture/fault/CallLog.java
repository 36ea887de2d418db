package io.kvstadium.torture.fault;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The latest calls that changed files, since the last moment at which all was durable. Writes of
 * one file that follow each other are one line. For one thread at a time.
 */
final class CallLog {
  private static final int MAX_CALLS = 12;

  private record Call(String name, String path, long offset, long bytes) {
    /** This call and the next as one, or {@code null}. */
    @Nullable Call with(Call next) {
      boolean follows =
          name.equals("write")
              && next.name.equals("write")
              && path.equals(next.path)
              && offset + bytes == next.offset;
      return follows ? new Call(name, path, offset, bytes + next.bytes) : null;
    }

    @Override
    public String toString() {
      return bytes == 0
          ? name + " " + path
          : String.format(Locale.ROOT, "%s %s: %,d bytes at %,d", name, path, bytes, offset);
    }
  }

  private final Deque<Call> calls = new ArrayDeque<>();
  private long left;

  /** A call that has changed or synced something. */
  void add(String name, String path) {
    add(new Call(name, path.substring(1), 0, 0));
  }

  void addWrite(String path, long offset, long bytes) {
    add(new Call("write", path.substring(1), offset, bytes));
  }

  private void add(Call call) {
    Call last = calls.peekLast();
    Call both = last == null ? null : last.with(call);
    if (both != null) {
      calls.removeLast();
    }
    calls.addLast(both == null ? call : both);
    if (calls.size() > MAX_CALLS) {
      calls.removeFirst();
      left++;
    }
  }

  /** All is durable now. */
  void clear() {
    calls.clear();
    left = 0;
  }

  /** The calls, the oldest first. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (left > 0) {
      lines.add(String.format(Locale.ROOT, "(%,d calls before)", left));
    }
    calls.forEach(call -> lines.add(call.toString()));
    return lines;
  }
}
