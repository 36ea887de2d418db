package io.kvstadium.engine.h2;

import io.kvstadium.engine.sql.PagedCursor;
import io.kvstadium.store.Range;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads page by page: H2 would put a whole result on the heap, or into a temporary file, before its
 * first row could be read.
 */
final class H2Cursor extends PagedCursor {
  private static final int FIRST_ROWS = 8;
  private static final int MOST_ROWS = 512;

  private final Session session;
  private final ReentrantLock lock;
  private final H2Table table;

  /**
   * Fetches the first page, which settles what a separate session sees: all of a short scan, if
   * values are small.
   *
   * @param lock held while fetching from the session
   * @param atEnd closed when all is read, when the cursor is closed or if it cannot be opened
   */
  H2Cursor(
      Session session, ReentrantLock lock, H2Table table, Range<byte[]> range, AutoCloseable atEnd)
      throws Exception {
    boolean small = range.withoutValues() || table.hasSmallValues();
    super(range, small && range.limit() <= SHORT ? SHORT : FIRST_ROWS, MOST_ROWS, atEnd);
    this.session = session;
    this.lock = lock;
    this.table = table;
    start(false);
  }

  @Override
  protected Page page(Range<byte[]> range, int rows) throws SQLException {
    lock.lock();
    try (ResultSet result = session.page(table, range, rows)) {
      Page page = Page.of(result, range, Long.MAX_VALUE);
      int count = page.entries().size();
      if (count > 0 && !range.withoutValues()) {
        table.seen(page.bytes() / count < BYTES / SHORT);
      }
      return page;
    } finally {
      lock.unlock();
    }
  }
}
