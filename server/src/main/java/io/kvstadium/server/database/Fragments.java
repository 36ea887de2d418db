package io.kvstadium.server.database;

import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The content of long strings, as a commit group sees it: elements that have a number instead of a
 * name, each with the same length of the string. Where one is missing, or shorter, there are zeros.
 */
public final class Fragments {
  /** A longer string is stored in fragments. */
  public static final int MAX_WHOLE = 64 << 10;

  /** The length of a fragment: two pages of 4 kB, without the 16 bytes that lmdb adds. */
  static final int SIZE = 8_176;

  private static final byte[] ZEROS = new byte[SIZE];

  private final ReadView table;

  Fragments(ReadView table) {
    this.table = table;
  }

  private static byte[] key(Elements of, long at) {
    return Keys.element(
        of.generation(), ByteBuffer.allocate(Integer.BYTES).putInt((int) (at / SIZE)).array());
  }

  /** About how many bytes the keys and values of a string's fragments take. */
  public long bytes(Elements of) {
    long bytes = 0;
    try (Walk walk = table.scan(Keys.elements(of.generation()).keysOnly())) {
      while (walk.next()) {
        long from = (long) ByteBuffer.wrap(Keys.rest(walk.key())).getInt() * SIZE;
        bytes += walk.key().length + Math.min(SIZE, of.count() - from);
      }
    }
    return bytes;
  }

  /** Takes a content part by part. */
  @FunctionalInterface
  public interface Parts {
    /** The next part, in an array that must not be changed. */
    void add(byte[] bytes, int offset, int count);
  }

  /** Fills an array with what a string has from a position on. */
  public void read(Elements of, long from, byte[] target) {
    ByteBuffer filled = ByteBuffer.wrap(target);
    read(of, from, target.length, filled::put);
  }

  /** Reads what a string has from a position on, a fragment at a time. */
  public void read(Elements of, long from, int count, Parts to) {
    byte[] first = key(of, from);
    byte[] last = key(of, from + count - 1);
    long at = from;
    long end = from + count;
    if (Arrays.equals(first, last)) {
      byte[] fragment = table.get(first);
      at = fragment == null ? at : add(fragment, from / SIZE * SIZE, at, end, to);
    } else {
      try (Walk walk =
          table.scan(Keys.elements(of.generation()).from(first, true).to(last, true))) {
        while (walk.next()) {
          long start =
              (long) ByteBuffer.wrap(walk.key()).getInt(first.length - Integer.BYTES) * SIZE;
          at = add(walk.value(), start, zeros(at, start, to), end, to);
        }
      }
    }
    zeros(at, end, to);
  }

  /** Adds what a fragment that begins at a position has of the rest; returns where that ends. */
  private static long add(byte[] fragment, long start, long at, long end, Parts to) {
    int skipped = (int) (at - start);
    int count = (int) Math.min(fragment.length - skipped, end - at);
    if (count <= 0) {
      return at;
    }
    to.add(fragment, skipped, count);
    return at + count;
  }

  /** Adds zeros up to a position, if it is not reached; returns where the content is then. */
  private static long zeros(long at, long end, Parts to) {
    long done = at;
    while (done < end) {
      int count = (int) Math.min(SIZE, end - done);
      to.add(ZEROS, 0, count);
      done += count;
    }
    return done;
  }

  /** Changes what a string has from a position on. */
  public void write(Elements of, long at, byte[] bytes) {
    int count;
    for (int done = 0; done < bytes.length; done += count) {
      int start = (int) ((at + done) % SIZE);
      count = Math.min(SIZE - start, bytes.length - done);
      byte[] key = key(of, at + done);
      byte[] before = count == SIZE ? null : table.get(key);
      byte[] fragment =
          before == null
              ? new byte[start + count]
              : Arrays.copyOf(before, Math.max(before.length, start + count));
      System.arraycopy(bytes, done, fragment, start, count);
      table.writable().put(key, fragment);
    }
  }
}
