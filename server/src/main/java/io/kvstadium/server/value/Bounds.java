package io.kvstadium.server.value;

import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.Range;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bounds for members of a sorted set, by score or by name. */
public sealed interface Bounds {
  /** Whether the members are in score order; otherwise they are in name order. */
  boolean byScore();

  /** The selected part of a whole index, or {@code null} if nothing can be within. */
  public @Nullable Range<byte[]> of(Range<byte[]> index);

  /** Bounds by score; an open one is excluded. */
  record ByScore(double min, boolean minOpen, double max, boolean maxOpen) implements Bounds {
    public static ByScore of(byte[] min, byte[] max) {
      return new ByScore(score(min), open(min), score(max), open(max));
    }

    private static boolean open(byte[] text) {
      return text.length > 0 && text[0] == '(';
    }

    private static double score(byte[] text) {
      try {
        byte[] number = open(text) ? Arrays.copyOfRange(text, 1, text.length) : text;
        return number.length == 0 ? 0 : Numbers.real(number); // so does Redis
      } catch (ReplyException e) {
        throw ReplyException.error("min or max is not a float");
      }
    }

    @Override
    public boolean byScore() {
      return true;
    }

    @Override
    public @Nullable Range<byte[]> of(Range<byte[]> index) {
      long from = Scored.sortable(min) + (minOpen ? 1 : 0);
      long to = Scored.sortable(max) + (maxOpen ? 0 : 1);
      return Long.compareUnsigned(from, to) >= 0
          ? null
          : index.from(behind(index, from), true).to(behind(index, to), false);
    }

    private static byte[] behind(Range<byte[]> index, long score) {
      return Bounds.behind(index, ByteBuffer.allocate(8).putLong(score).array());
    }
  }

  /** Bounds by name, as requests write them: {@code -}, {@code [a}, {@code (a} or {@code +}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record ByName(byte[] min, byte[] max) implements Bounds {
    public static ByName of(byte[] min, byte[] max) {
      check(min);
      check(max);
      return new ByName(min, max);
    }

    private static void check(byte[] text) {
      boolean alone = text.length == 1 && (text[0] == '-' || text[0] == '+');
      if (!alone && (text.length == 0 || (text[0] != '[' && text[0] != '('))) {
        throw ReplyException.error("min or max not valid string range item");
      }
    }

    @Override
    public boolean byScore() {
      return false;
    }

    @Override
    public @Nullable Range<byte[]> of(Range<byte[]> index) {
      if (min[0] == '+' || max[0] == '-') {
        return null;
      }
      Range<byte[]> part = index;
      if (min[0] != '-') {
        part = part.from(behind(index, min), min[0] == '[');
      }
      if (max[0] != '+') {
        part = part.to(behind(index, max), max[0] == '[');
      }
      return part.isEmpty() ? null : part;
    }

    private static byte[] behind(Range<byte[]> index, byte[] text) {
      return Bounds.behind(index, Arrays.copyOfRange(text, 1, text.length));
    }
  }

  private static byte[] behind(Range<byte[]> index, byte[] rest) {
    byte[] prefix = index.from() == null ? new byte[0] : index.from();
    byte[] key = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, key, prefix.length, rest.length);
    return key;
  }
}
