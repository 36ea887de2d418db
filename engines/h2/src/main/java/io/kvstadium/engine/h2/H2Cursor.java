package io.kvstadium.engine.h2;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fetches entries page by page, each page by a query behind the last key: H2 would put a whole
 * result onto the heap, or into a temporary file, before its first row could be read.
 */
final class H2Cursor implements EngineCursor {
  private static final int FIRST_ROWS = 8;
  private static final int MOST_ROWS = 512;

  /** What is left of a scan is fetched at once if it is no more than that, and values are small. */
  private static final int SHORT_ROWS = 128;

  /** Pages grow while they are smaller than this. */
  private static final long LARGE_BYTES = 1 << 20;

  private final Session session;
  private final ReentrantLock lock;
  private final H2Table table;
  private final Set<byte[]> hidden;
  private final AutoCloseable atClose;
  private final Deque<Entry> page = new ArrayDeque<>();
  private @Nullable Range rest;
  private int rows = FIRST_ROWS;
  private long left;
  private @Nullable Entry current;

  /**
   * Fetches the first page, which settles what a session of its own sees.
   *
   * @param lock who fetches from the session holds it
   * @param hidden keys that are passed over, compared by their bytes
   * @param atClose also run if the cursor cannot be had
   */
  H2Cursor(
      Session session,
      ReentrantLock lock,
      H2Table table,
      Range range,
      Set<byte[]> hidden,
      AutoCloseable atClose)
      throws Exception {
    this.session = session;
    this.lock = lock;
    this.table = table;
    this.hidden = hidden;
    this.atClose = atClose;
    this.left = range.limit();
    boolean good = false;
    try {
      if (!range.isEmpty()) {
        fetch(range);
      }
      good = true;
    } finally {
      if (!good) {
        atClose.close();
      }
    }
  }

  private void fetch(Range range) throws SQLException {
    boolean small = range.withoutValues() || table.hasSmallValues();
    int most = small && range.limit() <= SHORT_ROWS ? SHORT_ROWS : rows;
    int asked = (int) Math.min(most, range.limit());
    long bytes = 0;
    lock.lock();
    try (ResultSet result = session.page(table, range, asked)) {
      while (result.next()) {
        byte[] value = range.withoutValues() ? new byte[0] : result.getBytes(2);
        Entry entry = new Entry(result.getBytes(1), value);
        bytes += value.length;
        page.add(entry);
      }
    } finally {
      lock.unlock();
    }
    if (bytes < LARGE_BYTES) {
      rows = Math.min(MOST_ROWS, 4 * rows);
    } else {
      rows = Math.max(1, rows / 4);
    }
    if (!page.isEmpty() && !range.withoutValues()) {
      table.seen(bytes / page.size() < LARGE_BYTES / SHORT_ROWS);
    }
    rest = page.size() < asked ? null : behind(range, page.getLast().key());
  }

  private Range behind(Range range, byte[] key) {
    return range.reversed() ? range.to(key, false) : range.from(key, false);
  }

  @Override
  public boolean next() throws SQLException {
    do {
      Range more = rest;
      if (page.isEmpty() && more != null && left > 0 && !more.isEmpty()) {
        fetch(more.limit(left));
      }
      current = page.poll();
    } while (current != null && hidden.contains(current.key()));
    left--;
    return current != null;
  }

  private Entry current() {
    Entry entry = current;
    if (entry == null) {
      throw new IllegalStateException("no entry");
    }
    return entry;
  }

  @Override
  public byte[] key() {
    return current().key().clone();
  }

  @Override
  public byte[] value() {
    return current().value().clone();
  }

  @Override
  public void close() throws Exception {
    atClose.close();
  }
}
