package io.kvstadium.transfer.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a stream.
 *
 * @param stored how many fields and values it has together, then each, after its length; {@code
 *     null} if it was removed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StreamEntry(StreamId id, byte @Nullable [] stored) {
  /** The stored form of fields and values, which take turns. */
  public static byte[] stored(List<byte[]> words) {
    int size = size(words.size());
    for (byte[] word : words) {
      size = Math.addExact(size, size(word.length) + word.length);
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    put(out, words.size());
    for (byte[] word : words) {
      put(out, word.length);
      out.put(word);
    }
    return out.array();
  }

  /** Seven bits in each byte, the lowest first; the highest bit says that more follow. */
  private static void put(ByteBuffer out, int number) {
    int left = number;
    while (left > 0x7f) {
      out.put((byte) (left | 0x80));
      left >>>= 7;
    }
    out.put((byte) left);
  }

  private static int size(int number) {
    return (38 - Integer.numberOfLeadingZeros(number | 1)) / 7;
  }

  /** A number in the stored form. */
  public static int number(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  /** Its fields and values in turn. */
  public List<byte[]> words() {
    List<byte[]> words = new ArrayList<>();
    if (stored != null) {
      ByteBuffer in = ByteBuffer.wrap(stored);
      for (int left = number(in); left > 0; left--) {
        byte[] word = new byte[number(in)];
        in.get(word);
        words.add(word);
      }
    }
    return words;
  }
}
