package io.kvstadium.bench.report;

import io.kvstadium.store.BadArgumentException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** One histogram from those of several trials, in HdrHistogram's compressed form in Base64. */
final class Histograms {
  private Histograms() {}

  /**
   * @param histograms in the same form
   * @param digits that the merged one keeps of each value: 3 for all, 2 for a tenth of the size
   * @throws BadArgumentException if one cannot be decoded
   */
  static String merge(List<String> histograms, int digits) {
    Histogram merged = new Histogram(digits);
    merged.setAutoResize(true);
    for (String histogram : histograms) {
      merged.add(decode(histogram));
    }
    ByteBuffer buffer = ByteBuffer.allocate(merged.getNeededByteBufferCapacity());
    int length = merged.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
    byte[] bytes = new byte[length];
    buffer.flip();
    buffer.get(0, bytes, 0, length);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Histogram decode(String histogram) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
    } catch (DataFormatException | RuntimeException e) {
      throw new BadArgumentException("a latency histogram in the results cannot be decoded", e);
    }
  }
}
