package io.kvstadium.engine.sql;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Reads some entries at a time, each time with a query for those after the last key. */
public abstract class PagedCursor implements EngineCursor {
  /** The most entries of a scan that may be read at once. */
  public static final int SHORT = 128;

  /** About how many bytes of keys and values a page should have. */
  protected static final int BYTES = 1 << 20;

  private static final byte[] NONE = {};

  private final int mostRows;
  private final AutoCloseable atEnd;
  private final Queue<Entry<byte[], byte[]>> ahead = new ArrayDeque<>();
  private @Nullable Range<byte[]> rest;
  private long left;
  private int rows;
  private boolean ended;
  private @Nullable Entry<byte[], byte[]> current;

  /**
   * Entries that a query returned.
   *
   * @param bytes the size of their keys and values
   * @param whole whether the query had no more of them
   */
  protected record Page(List<Entry<byte[], byte[]>> entries, long bytes, boolean whole) {
    /** A page without entries. */
    public static final Page EMPTY = new Page(List.of(), 0, true);

    /** Reads rows of keys and values, or of keys only, up to about {@code mostBytes}. */
    public static Page of(ResultSet result, Range<byte[]> range, long mostBytes)
        throws SQLException {
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      long bytes = 0;
      boolean more = result.next();
      while (more) {
        byte[] key = result.getBytes(1);
        byte[] value = range.withoutValues() ? NONE : result.getBytes(2);
        entries.add(new Entry<>(key, value));
        bytes += key.length + value.length;
        if (bytes >= mostBytes) {
          break;
        }
        more = result.next();
      }
      return new Page(entries, bytes, !more);
    }
  }

  /**
   * @param firstRows how many entries the first query asks for
   * @param mostRows the most that a query asks for
   * @param atEnd closed once, when all is read or the cursor is closed
   */
  protected PagedCursor(Range<byte[]> range, int firstRows, int mostRows, AutoCloseable atEnd) {
    this.rest = range.isEmpty() ? null : range;
    this.left = range.limit();
    this.rows = firstRows;
    this.mostRows = mostRows;
    this.atEnd = atEnd;
  }

  /** Queries the first entries of a range. */
  protected abstract Page page(Range<byte[]> range, int rows) throws Exception;

  /**
   * Reads the first entries now, which settles what this sees. Closes the cursor if that fails.
   *
   * @param further whether to read another page, perhaps the last one, if entries are small
   */
  protected final void start(boolean further) throws Exception {
    int first = rows;
    boolean good = false;
    try {
      readAhead();
      if (further && ahead.size() == first) {
        readAhead();
      }
      good = true;
    } finally {
      if (!good) {
        close();
      }
    }
  }

  private void readAhead() throws Exception {
    Range<byte[]> range = rest;
    if (range != null) {
      int asked = (int) Math.min(rows, left);
      Page page = page(range, asked);
      rest = behind(range, page, asked);
      ahead.addAll(page.entries());
    }
    if (rest == null) {
      close();
    }
  }

  private @Nullable Range<byte[]> behind(Range<byte[]> range, Page page, int asked) {
    int count = page.entries().size();
    left -= count;
    if (count == 0 || left == 0 || (page.whole() && count < asked)) {
      return null;
    }
    // closing a result may read the rest of it: ask only for what will be used
    rows =
        (int)
            Math.clamp(
                BYTES * (long) count / (page.bytes() + 1), 1, Math.min(mostRows, 8L * asked));
    byte[] last = page.entries().getLast().key();
    Range<byte[]> behind = range.reversed() ? range.to(last, false) : range.from(last, false);
    return behind.isEmpty() ? null : behind;
  }

  @Override
  public boolean next() throws Exception {
    while (ahead.isEmpty() && rest != null) {
      readAhead();
    }
    current = ahead.poll();
    return current != null;
  }

  @Override
  public byte[] key() {
    return current().key().clone();
  }

  @Override
  public byte[] value() {
    return current().value().clone();
  }

  private Entry<byte[], byte[]> current() {
    if (current == null) {
      throw new IllegalStateException("no entry");
    }
    return current;
  }

  @Override
  public void close() throws Exception {
    if (!ended) {
      ended = true;
      atEnd.close();
    }
  }
}
