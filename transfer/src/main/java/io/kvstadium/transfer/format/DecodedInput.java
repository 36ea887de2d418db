package io.kvstadium.transfer.format;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** What a file holds, whether it is compressed, or text in UTF-16: told by its first bytes. */
public final class DecodedInput {
  private static final int BUFFER = 1 << 16;

  private DecodedInput() {}

  /** The file without compression (gzip, Zstandard), with text in UTF-8. */
  static InputStream of(InputStream in) throws IOException {
    BufferedInputStream plain = uncompressed(in);
    byte[] first = first(plain, 2);
    boolean big = starts(first, 0xFE, 0xFF);
    return big || starts(first, 0xFF, 0xFE)
        ? new Utf16(plain, big ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE)
        : plain;
  }

  /** The file without compression: gzip or Zstandard. */
  public static BufferedInputStream uncompressed(InputStream in) throws IOException {
    BufferedInputStream file = new BufferedInputStream(in, BUFFER);
    byte[] first = first(file, 4);
    if (starts(first, 0x1F, 0x8B)) { // RFC 1952
      return new BufferedInputStream(new GZIPInputStream(file, BUFFER), BUFFER);
    }
    if (starts(first, 0x28, 0xB5, 0x2F, 0xFD)) { // RFC 8878
      return new BufferedInputStream(new ZstdInputStream(file), BUFFER);
    }
    return file;
  }

  private static byte[] first(BufferedInputStream in, int count) throws IOException {
    in.mark(count);
    byte[] first = in.readNBytes(count);
    in.reset();
    return first;
  }

  private static boolean starts(byte[] bytes, int... expected) {
    if (bytes.length < expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (bytes[i] != (byte) expected[i]) {
        return false;
      }
    }
    return true;
  }

  /** What is wrong with the file itself and what to do, or {@code null} if reading it failed. */
  public static @Nullable String damage(IOException e) {
    return switch (e) {
      case EOFException _ -> "the compressed file is cut off; compress or copy it again";
      case ZipException _, ZstdIOException _ ->
          "the compressed file is damaged (" + e.getMessage() + "); compress or copy it again";
      case CharacterCodingException _ ->
          "the text is not UTF-16, as its byte order mark says; convert it to UTF-8, for example"
              + " with iconv -t UTF-8";
      default -> null;
    };
  }

  /** Text in UTF-16 as UTF-8, so that everything behind it knows one encoding. */
  private static final class Utf16 extends InputStream {
    private final Reader text;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final CharBuffer chars = CharBuffer.allocate(BUFFER).flip();
    private final ByteBuffer bytes = ByteBuffer.allocate(3 * BUFFER).flip();
    private boolean ended;

    Utf16(InputStream in, Charset charset) {
      this.text = new InputStreamReader(in, charset.newDecoder());
    }

    private boolean fill() throws IOException {
      while (!bytes.hasRemaining() && !ended) {
        chars.compact();
        ended = text.read(chars) < 0;
        chars.flip();
        bytes.clear();
        if (encoder.encode(chars, bytes, ended).isError()) {
          throw new CharacterCodingException();
        }
        bytes.flip();
      }
      return bytes.hasRemaining();
    }

    @Override
    public int read() throws IOException {
      return fill() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, bytes.remaining());
      bytes.get(into, offset, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
