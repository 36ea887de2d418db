package io.kvstadium.bench.stats;

import io.kvstadium.store.BadArgumentException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** Histograms as stored in results: HdrHistogram's compressed form in Base64. */
public final class EncodedHistogram {
  private EncodedHistogram() {}

  /** The text of a histogram. */
  public static String of(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
    byte[] bytes = new byte[length];
    buffer.flip();
    buffer.get(0, bytes, 0, length);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * The histogram of a text.
   *
   * @throws BadArgumentException if it is not a histogram
   */
  public static Histogram decode(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException | RuntimeException e) {
      throw new BadArgumentException(
          "a latency histogram in the results cannot be decoded: measure again, or take the results"
              + " from a backup",
          e);
    }
  }

  /**
   * Merges several histograms into one.
   *
   * @param digits the digits that it keeps of each value: 3 for all, 2 for a tenth of the size
   * @throws BadArgumentException if one cannot be decoded
   */
  public static Histogram merge(List<String> texts, int digits) {
    Histogram merged = new Histogram(digits);
    merged.setAutoResize(true);
    texts.forEach(text -> merged.add(decode(text)));
    return merged;
  }
}
