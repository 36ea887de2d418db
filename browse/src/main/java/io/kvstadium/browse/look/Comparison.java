package io.kvstadium.browse.look;

import io.kvstadium.browse.look.Listing.Head;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import io.kvstadium.transfer.format.ContentSum;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compares two tables range by range: a range of the left one is summed, then the same range of the
 * right one; only where the sums differ, entries are compared one by one.
 */
public final class Comparison {
  private static final int RANGE = 4096;
  private static final int DIFFERENCES = 500;

  /** Is told what is found; an exception of it ends the comparison. */
  public interface Listener {
    /** An entry that one side lacks ({@code null}), or that differs. */
    void difference(byte[] key, @Nullable Head left, @Nullable Head right) throws IOException;

    /**
     * How far it is.
     *
     * @param next where to go on, {@code null} if there is nothing left to compare
     */
    void progress(long entries, long different, byte @Nullable [] next) throws IOException;
  }

  private final TableReader<byte[], byte[]> left;
  private final TableReader<byte[], byte[]> right;
  private final Listener listener;
  private long entries;
  private long different;

  private Comparison(
      TableReader<byte[], byte[]> left, TableReader<byte[], byte[]> right, Listener listener) {
    this.left = left;
    this.right = right;
    this.listener = listener;
  }

  /** Compares what two tables have from a key on. */
  public static void run(
      TableReader<byte[], byte[]> left,
      TableReader<byte[], byte[]> right,
      byte[] from,
      Listener listener)
      throws IOException {
    new Comparison(left, right, listener).all(from);
  }

  private void all(byte[] from) throws IOException {
    byte[] start = from;
    while (true) {
      ContentSum.Adder sum = new ContentSum.Adder("");
      byte[] end = end(start, sum);
      Range<byte[]> range = end == null ? Range.atLeast(start) : Range.between(start, end);
      ContentSum expected = sum.sum();
      if (!expected.equals(sum(range))) {
        merge(range);
      }
      entries += expected.entries();
      if (end == null || different >= DIFFERENCES) {
        listener.progress(entries, different, end);
        return;
      }
      listener.progress(entries, different, end);
      start = end;
    }
  }

  /** Where the left side's next range ends, {@code null} for no end; sums it. */
  private byte @Nullable [] end(byte[] start, ContentSum.Adder sum) {
    try (Cursor<byte[], byte[]> cursor = left.scan(Range.atLeast(start))) {
      for (int i = 0; cursor.next(); i++) {
        if (i == RANGE) {
          return cursor.key();
        }
        sum.add(cursor.key(), cursor.value());
      }
      return null;
    }
  }

  private ContentSum sum(Range<byte[]> range) {
    ContentSum.Adder sum = new ContentSum.Adder("");
    try (Cursor<byte[], byte[]> cursor = right.scan(range)) {
      while (cursor.next()) {
        sum.add(cursor.key(), cursor.value());
      }
    }
    return sum.sum();
  }

  private void merge(Range<byte[]> range) throws IOException {
    try (Cursor<byte[], byte[]> ours = left.scan(range);
        Cursor<byte[], byte[]> theirs = right.scan(range)) {
      boolean a = ours.next();
      boolean b = theirs.next();
      while (a || b) {
        int order = !a ? 1 : !b ? -1 : Arrays.compareUnsigned(ours.key(), theirs.key());
        if (order != 0 || !Arrays.equals(ours.value(), theirs.value())) {
          if (++different <= DIFFERENCES) {
            byte[] key = order <= 0 ? ours.key() : theirs.key();
            listener.difference(
                key, order <= 0 ? head(ours) : null, order >= 0 ? head(theirs) : null);
          }
        }
        a = order <= 0 ? ours.next() : a;
        b = order >= 0 ? theirs.next() : b;
      }
    }
  }

  private static Head head(Cursor<byte[], byte[]> cursor) {
    return cursor.value(value -> Head.of(value, Listing.HEAD));
  }
}
