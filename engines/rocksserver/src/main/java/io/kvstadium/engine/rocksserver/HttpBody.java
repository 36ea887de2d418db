package io.kvstadium.engine.rocksserver;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The body of an answer, as the protocol writes lines, values and pairs. */
final class HttpBody extends InputStream {
  static final long TO_THE_END = -1;
  static final long CHUNKED = -2;

  private final InputStream in;
  private final boolean chunked;
  private final Runnable atEnd;
  private long left; // of the body or the chunk; negative: unknown
  private boolean first = true;
  private boolean ended;

  /**
   * @param length in bytes, or one of the constants
   * @param atEnd called when all was read
   */
  HttpBody(InputStream in, long length, Runnable atEnd) {
    this.in = in;
    this.chunked = length == CHUNKED;
    this.left = chunked ? 0 : length;
    this.atEnd = atEnd;
    if (!chunked && length == 0) {
      end();
    }
  }

  private void end() {
    ended = true;
    atEnd.run();
  }

  @Override
  public int read() throws IOException {
    if (!prepare()) {
      return -1;
    }
    int read = in.read();
    took(read < 0 ? -1 : 1);
    return read;
  }

  @Override
  public int read(byte[] buffer, int from, int most) throws IOException {
    if (most == 0) {
      return 0;
    }
    if (!prepare()) {
      return -1;
    }
    int read = in.read(buffer, from, left < 0 ? most : (int) Math.min(most, left));
    took(read);
    return read;
  }

  /** Whether there is more; then the stream is at a chunk's bytes. */
  private boolean prepare() throws IOException {
    if (!ended && chunked && left == 0) {
      if (!first) {
        HttpConnection.line(in); // the end of the last chunk
      }
      first = false;
      String size = new String(HttpConnection.line(in), StandardCharsets.US_ASCII).strip();
      left = Long.parseLong(size.split(";", 2)[0].strip(), 16);
      if (left == 0) {
        while (!new String(HttpConnection.line(in), StandardCharsets.US_ASCII).isBlank()) {}
        end();
      }
    }
    return !ended;
  }

  private void took(int read) throws IOException {
    if (read < 0) {
      if (left >= 0) {
        throw new EOFException("the server ended the connection within its answer");
      }
      end();
    } else if (left > 0) {
      left -= read;
      if (left == 0 && !chunked) {
        end();
      }
    }
  }

  /** The next line, or {@code null} at the end. */
  byte @Nullable [] line() throws IOException {
    return prepare() ? HttpConnection.line(this) : null;
  }

  /** A value, or {@code null} if there is none. */
  byte @Nullable [] value() throws IOException {
    byte[] line = line();
    String text = line == null ? "" : new String(line, StandardCharsets.ISO_8859_1);
    if (text.equals("-1")) {
      return null;
    }
    if (!text.matches("\\d{1,10}")) {
      throw new RefusedException(
          "the server answered '" + text.substring(0, Math.min(80, text.length())) + "'");
    }
    int length = Integer.parseInt(text);
    byte[] value = readNBytes(length);
    if (value.length < length || read() != '\n') {
      throw new EOFException("the server ended its answer within a value");
    }
    return value;
  }

  /** Reads the rest. */
  void finish() throws IOException {
    readAllBytes();
  }

  /** Reads the end, after {@code OK}. */
  void checkOk() throws IOException {
    String text = new String(readAllBytes(), StandardCharsets.ISO_8859_1);
    if (!text.equals("OK\n")) {
      throw new RefusedException(
          "the server answered '%s' and not OK"
              .formatted(text.substring(0, Math.min(80, text.length())).strip()));
    }
  }
}
