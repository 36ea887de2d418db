package io.kvstadium.transfer.format;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** An input that counts the bytes read. */
final class CountedInput {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private long offset;

  CountedInput(InputStream in) {
    this.in = new BufferedInputStream(in, BUFFER);
  }

  /** The number of bytes read so far. */
  long offset() {
    return offset;
  }

  /** The next byte, or -1 at the end. */
  int read() throws IOException {
    int read = in.read();
    if (read >= 0) {
      offset++;
    }
    return read;
  }

  /** Up to the given number of bytes; takes no more memory than there is data. */
  byte[] upTo(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    offset += bytes.length;
    return bytes;
  }

  /** Exactly the given number of bytes. */
  byte[] exactly(int length) throws IOException {
    byte[] bytes = upTo(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }
}
