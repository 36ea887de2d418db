package io.kvstadium.bench.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Text in the form that a page can carry and a browser can unpack by itself: UTF-8, deflated
 * without a header (RFC 1951), in Base64. Whatever it says, it cannot end the element it stands in.
 */
final class Packed {
  private Packed() {}

  static String text(String text) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    try (ByteArrayOutputStream bytes = new ByteArrayOutputStream()) {
      try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      return Base64.getEncoder().encodeToString(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to memory", e);
    } finally {
      deflater.end();
    }
  }
}
