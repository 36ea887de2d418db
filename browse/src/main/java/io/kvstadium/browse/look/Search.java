package io.kvstadium.browse.look;

import io.kvstadium.browse.look.Listing.Found;
import io.kvstadium.browse.look.Listing.Head;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks for bytes in keys or values, entry by entry, until enough are found or time is up. */
public final class Search {
  private static final int HITS = 100;
  private static final long TIME = TimeUnit.SECONDS.toNanos(60);
  private static final long TOLD = TimeUnit.MILLISECONDS.toNanos(250);

  /** Is told what happens; an exception of it ends the search: nobody listens any more. */
  public interface Listener {
    void hit(Found entry) throws IOException;

    /**
     * How far it is.
     *
     * @param seen how many entries were looked at
     * @param next where to go on, {@code null} at the end of the table or while it still runs
     */
    void progress(long seen, byte @Nullable [] next, boolean done) throws IOException;
  }

  private Search() {}

  /** Searches a range for bytes. */
  public static void run(
      TableReader<byte[], byte[]> table,
      Range<byte[]> range,
      byte[] wanted,
      boolean inKeys,
      boolean inValues,
      Listener listener)
      throws IOException {
    long begin = System.nanoTime();
    long told = begin;
    long seen = 0;
    int hits = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(inValues ? range : range.keysOnly())) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        long now = (seen & 0xff) == 0 ? System.nanoTime() : told;
        if (hits == HITS || now - begin > TIME) {
          listener.progress(seen, key, true);
          return;
        }
        seen++;
        if ((inKeys && contains(MemorySegment.ofArray(key), wanted))
            || (inValues && cursor.value(value -> contains(value, wanted)))) {
          hits++;
          listener.hit(new Found(key, head(table, cursor, key, inValues)));
        }
        if (now - told > TOLD) {
          told = now;
          listener.progress(seen, null, false);
        }
      }
    }
    listener.progress(seen, null, true);
  }

  private static Head head(
      TableReader<byte[], byte[]> table, Cursor<byte[], byte[]> cursor, byte[] key, boolean read) {
    if (read) {
      return cursor.value(value -> Head.of(value, Listing.HEAD));
    }
    Head head = table.get(key, value -> Head.of(value, Listing.HEAD));
    return head == null ? new Head(new byte[0], 0) : head; // it was deleted meanwhile
  }

  private static boolean contains(MemorySegment bytes, byte[] wanted) {
    long last = bytes.byteSize() - wanted.length;
    for (long i = 0; i <= last; i++) {
      int j = 0;
      while (j < wanted.length && bytes.get(ValueLayout.JAVA_BYTE, i + j) == wanted[j]) {
        j++;
      }
      if (j == wanted.length) {
        return true;
      }
    }
    return false;
  }
}
