package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.transfer.format.DecodedInput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.snappy.FramedSnappyCompressorInputStream;
import org.apache.commons.compress.compressors.snappy.SnappyCompressorInputStream;
import org.jspecify.annotations.Nullable;

/** Compressed bytes, and what they hold: never more of it than a megabyte. */
final class Compressed {
  private static final int MAX = 1 << 20;
  private static final int MAX_PREVIEW = 1 << 12;

  private Compressed() {}

  private interface Opener {
    InputStream open(InputStream in) throws IOException;
  }

  /** What its first bytes say: gzip, Zstandard, or the frames of LZ4 and Snappy. */
  static @Nullable String magic(Input input) {
    byte[] bytes = input.bytes();
    if (Decoders.starts(bytes, 0x1f, 0x8b)) {
      return content("gzip", DecodedInput::uncompressed, input);
    } else if (Decoders.starts(bytes, 0x28, 0xb5, 0x2f, 0xfd)) {
      return content("zstd", DecodedInput::uncompressed, input);
    } else if (Decoders.starts(bytes, 0x04, 0x22, 0x4d, 0x18)) {
      return content("lz4", FramedLZ4CompressorInputStream::new, input);
    } else if (Decoders.starts(bytes, 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y')) {
      return content("snappy", FramedSnappyCompressorInputStream::new, input);
    }
    return null;
  }

  static @Nullable String rawSnappy(Input input) {
    return content("snappy", SnappyCompressorInputStream::new, input);
  }

  static @Nullable String rawLz4(Input input) {
    return content("lz4", BlockLZ4CompressorInputStream::new, input);
  }

  private static @Nullable String content(String name, Opener opener, Input input) {
    if (!input.opens()) {
      return null;
    }
    int max = input.indented() ? MAX : MAX_PREVIEW;
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    boolean more = false;
    try (InputStream in = opener.open(new ByteArrayInputStream(input.bytes()))) {
      byte[] part = new byte[1 << 13];
      for (int n = in.read(part); n >= 0 && !more; n = in.read(part)) {
        plain.write(part, 0, n);
        more = plain.size() >= max;
      }
    } catch (IOException e) {
      if (input.complete() || plain.size() == 0) {
        return null;
      }
      more = true; // it was cut off
    }
    String size = (more ? "more than " : "") + plain.size();
    return input.content(name + " of " + size + " bytes", plain.toByteArray(), !more);
  }
}
