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

  /** Fills an array with what a string has from a position on. */
  public void read(Elements of, long from, byte[] target) {
    byte[] first = key(of, from);
    byte[] last = key(of, from + target.length - 1);
    if (Arrays.equals(first, last)) {
      byte[] fragment = table.get(first);
      if (fragment != null) {
        copy(fragment, from / SIZE * SIZE - from, target);
      }
      return;
    }
    try (Walk walk = table.scan(Keys.elements(of.generation()).from(first, true).to(last, true))) {
      while (walk.next()) {
        long index = ByteBuffer.wrap(walk.key()).getInt(first.length - Integer.BYTES);
        copy(walk.value(), index * SIZE - from, target);
      }
    }
  }

  /** Copies what fits of a fragment that begins at a position of the target. */
  private static void copy(byte[] fragment, long at, byte[] target) {
    int skipped = (int) Math.max(0, -at);
    int count = (int) Math.min(fragment.length - skipped, target.length - Math.max(0, at));
    if (count > 0) {
      System.arraycopy(fragment, skipped, target, (int) Math.max(0, at), count);
    }
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
