package io.kvstadium.browse.look;

import io.kvstadium.browse.decode.Decoder;
import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.browse.decode.Decoders;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the keys that begin with a prefix continue with, up to the next separator. */
public final class Prefixes {
  private static final int MAX = 200;
  private static final int KEYS = 50;
  private static final int SAMPLE = 1024;
  private static final long COUNTING = 1_500_000_000;

  /**
   * A prefix or, if it is no group, a key.
   *
   * @param id the bytes in hexadecimal digits
   * @param count how many keys begin with it, about unless {@code exact}
   */
  public record Branch(String id, String text, boolean group, long count, boolean exact) {}

  /**
   * Branches in the order of their keys.
   *
   * @param more whether there are more than fit
   */
  public record Branches(List<Branch> branches, boolean more) {}

  private Prefixes() {}

  /** The branches below a prefix. */
  public static Branches below(
      TableReader<byte[], byte[]> table, byte[] prefix, byte[] separators, Decoder keys) {
    List<byte[]> groups = new ArrayList<>();
    List<Boolean> isGroup = new ArrayList<>();
    boolean more = false;
    int leaves = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.prefix(prefix).keysOnly())) {
      boolean next = cursor.next();
      while (next) {
        if (groups.size() == MAX || leaves == KEYS) {
          more = true;
          break;
        }
        byte[] key = cursor.key();
        int end = end(key, prefix.length, separators);
        byte[] branch = end < 0 ? key : Arrays.copyOf(key, end);
        groups.add(branch);
        isGroup.add(end >= 0);
        leaves += end < 0 ? 1 : 0;
        byte[] after = end < 0 ? null : Range.prefix(branch).to();
        next = end < 0 ? cursor.next() : after != null && cursor.seek(after);
      }
    }
    long each = COUNTING / Math.max(1, groups.size());
    List<Branch> branches = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      byte[] branch = groups.get(i);
      String text = Decoders.decode(keys, new Input(branch, true, false)).text();
      if (isGroup.get(i)) {
        Sample sample =
            Sample.of(table, Range.prefix(branch), SAMPLE, System.nanoTime() + each, false);
        branches.add(
            new Branch(Hex.of(branch), text, true, Math.round(sample.count()), sample.exact()));
      } else {
        branches.add(new Branch(Hex.of(branch), text, false, 1, true));
      }
    }
    return new Branches(branches, more);
  }

  /** After the next separator, or -1. */
  static int end(byte[] key, int from, byte[] separators) {
    for (int i = from; i < key.length; i++) {
      for (byte separator : separators) {
        if (key[i] == separator) {
          // a component of a tuple ends with two zero bytes
          return separator == 0 && i + 1 < key.length && key[i + 1] == 0 ? i + 2 : i + 1;
        }
      }
    }
    return -1;
  }
}
