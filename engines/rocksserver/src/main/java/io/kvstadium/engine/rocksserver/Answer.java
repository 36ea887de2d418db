package io.kvstadium.engine.rocksserver;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An answer, as the protocol writes lines, values and pairs. */
final class Answer implements AutoCloseable {
  private static final int MOST_SHOWN = 80;

  private final InputStream in;

  Answer(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next line, or {@code null} at the end. */
  @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        if (line.size() > 0) {
          throw new EOFException("the server ended its answer within a line");
        }
        return null;
      }
      line.write(each);
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** A value, or {@code null} if there is none. */
  byte @Nullable [] value() throws IOException {
    String line = line();
    if ("-1".equals(line)) {
      return null;
    }
    if (line == null || !line.matches("\\d{1,9}")) {
      throw refused(String.valueOf(line));
    }
    int length = Integer.parseInt(line);
    byte[] value = in.readNBytes(length);
    if (value.length < length || in.read() != '\n') {
      throw new EOFException("the server ended its answer within a value");
    }
    return value;
  }

  /** Reads the end, after {@code OK}. */
  void checkOk() throws IOException {
    String text = text();
    if (!text.equals("OK\n")) {
      throw refused(text);
    }
  }

  /** All of it. */
  String text() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private static RefusedException refused(String text) {
    return new RefusedException(
        "the server answered '%s'"
            .formatted(text.substring(0, Math.min(MOST_SHOWN, text.length())).strip()));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
