package io.kvstadium.transfer.records;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Splits a file, compressed or not, into lines or into records whose quoted fields may span lines.
 * Keeps one buffer as long as the longest record so far; a record is a slice of it, valid until the
 * next {@link #advance}.
 */
public final class RecordReader implements AutoCloseable {
  private static final int START_BYTES = 1 << 16;

  private final Path path;
  private final int maxBytes;

  /** The quote inside which line ends do not count, or -1 for none. */
  private final int quote;

  /** Where a quote may open: after this byte or at the start of a record. */
  private final int delimiter;

  private final InputStream in;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer decoded = CharBuffer.allocate(4096);

  private byte[] buffer = new byte[START_BYTES];
  private int start;
  private int end;
  private int filled;
  private int next;
  private boolean begun;
  private boolean atEnd;
  private long line;
  private long nextLine = 1;

  private RecordReader(Path path, InputStream in, int maxBytes, int quote, int delimiter) {
    this.path = path;
    this.in = in;
    this.maxBytes = maxBytes;
    this.quote = quote;
    this.delimiter = delimiter;
  }

  /** Reads lines of at most the given length. */
  public static RecordReader lines(Path path, int maxBytes) {
    return new RecordReader(path, open(path), maxBytes, -1, -1);
  }

  /** Reads records of at most the given length, with fields that may be quoted. */
  public static RecordReader quoted(Path path, int maxBytes, char delimiter) {
    return new RecordReader(path, open(path), maxBytes, '"', delimiter);
  }

  /** Compressed files are recognized by their first two bytes (RFC 1952), whatever their name. */
  private static InputStream open(Path path) {
    try {
      InputStream file = Files.newInputStream(path);
      try {
        var in = new BufferedInputStream(file, START_BYTES);
        in.mark(2);
        boolean packed = in.read() == 0x1F && in.read() == 0x8B;
        in.reset();
        return packed ? new GZIPInputStream(in, START_BYTES) : in;
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (EOFException | ZipException e) {
      throw damaged(path, 1, e);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  /** Moves to the next record that is not blank; false if there is none. */
  public boolean advance() {
    if (!begun) {
      begun = true;
      skipMark();
    }
    while (cut()) {
      if (!blank()) {
        if (end - start > maxBytes) {
          throw tooLong();
        }
        return true;
      }
    }
    return false;
  }

  /** The buffer that holds the record. */
  public byte[] buffer() {
    return buffer;
  }

  /** Where the record starts in the buffer. */
  public int start() {
    return start;
  }

  /** Where the record ends in the buffer, without its line end. */
  public int end() {
    return end;
  }

  /** File and first line of the record, for messages. */
  public String where() {
    return path + ", line " + line;
  }

  /** A copy of the record. */
  public byte[] copy() {
    return Arrays.copyOfRange(buffer, start, end);
  }

  private boolean cut() {
    start = next;
    line = nextLine;
    int p = start;
    StoreLifecycle place = StoreLifecycle.FIELD_START;
    while (true) {
      if (p == filled) {
        int scanned = p - start;
        if (!fill()) {
          return last(place == StoreLifecycle.QUOTED);
        }
        p = start + scanned;
      }
      byte b = buffer[p++];
      if (b == '\n') {
        nextLine++;
        if (place != StoreLifecycle.QUOTED) {
          next = p;
          end = p - 1 > start && buffer[p - 2] == '\r' ? p - 2 : p - 1;
          return true;
        }
      } else if (quote >= 0) {
        place = place.after(b == quote, b == delimiter);
      }
    }
  }

  /** The reader's place in a field, as far as it decides whether a line end counts. */
  private enum StoreLifecycle {
    FIELD_START,
    PLAIN,
    QUOTED,
    /** After a quote inside quotes: the end of the field, or the first half of a doubled one. */
    CLOSED;

    StoreLifecycle after(boolean quote, boolean delimiter) {
      if (this == QUOTED) {
        return quote ? CLOSED : QUOTED;
      }
      if (delimiter) {
        return FIELD_START;
      }
      return quote && this != PLAIN ? QUOTED : PLAIN;
    }
  }

  private boolean last(boolean quoted) {
    if (quoted) {
      throw new BadArgumentException(
          where() + ": a quote that opens in this record is never closed; close it or double it");
    }
    next = filled;
    end = filled > start && buffer[filled - 1] == '\r' ? filled - 1 : filled;
    return filled > start;
  }

  /** Makes room by moving the record to the front or growing the buffer, and reads more. */
  private boolean fill() {
    if (atEnd) {
      return false;
    }
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, filled - start);
      filled -= start;
      start = 0;
    }
    if (filled > maxBytes) {
      throw tooLong();
    }
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * filled, maxBytes + 2L));
    }
    try {
      int n = in.read(buffer, filled, buffer.length - filled);
      if (n < 0) {
        atEnd = true;
        return false;
      }
      filled += n;
      return true;
    } catch (EOFException | ZipException e) {
      throw damaged(path, nextLine, e);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private BadArgumentException tooLong() {
    return new BadArgumentException(
        where()
            + " is longer than the longest value accepted ("
            + maxBytes
            + " bytes): split it, or check that "
            + (quote < 0 ? "lines end with a line feed" : "quotes that open are closed"));
  }

  /** At most 20 names, for messages. */
  public static String shown(List<String> names) {
    return names.size() <= 20
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 20)) + " … (" + names.size() + " in all)";
  }

  private static StoreIoException failed(Path path, IOException e) {
    return new StoreIoException(
        "Reading " + path + " failed: " + e.getMessage() + "; check that it can be read", e);
  }

  private static BadArgumentException damaged(Path path, long line, IOException e) {
    return new BadArgumentException(
        path
            + ", line "
            + line
            + ": the compressed file is "
            + (e instanceof EOFException ? "cut off" : "damaged (" + e.getMessage() + ")")
            + "; compress or copy it again",
        e);
  }

  /** Some programs start UTF-8 files with a byte order mark, which belongs to no entry. */
  private void skipMark() {
    boolean more = true;
    while (filled < 3 && more) {
      more = fill();
    }
    if (filled >= 3
        && buffer[0] == (byte) 0xEF
        && buffer[1] == (byte) 0xBB
        && buffer[2] == (byte) 0xBF) {
      next = 3;
    }
  }

  private boolean blank() {
    for (int p = start; p < end; p++) {
      if (buffer[p] != ' ' && (buffer[p] != '\t' || delimiter == '\t')) {
        return false;
      }
    }
    return true;
  }

  /** Refuses the record if it is not text. */
  public void checkUtf8() {
    int p = start;
    while (p < end && buffer[p] >= 0) {
      p++;
    }
    if (p == end) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(buffer, p, end - p);
    decoder.reset();
    try {
      while (true) {
        decoded.clear();
        var result = decoder.decode(bytes, decoded, true);
        if (result.isError()) {
          result.throwException();
        }
        if (result.isUnderflow()) {
          return;
        }
      }
    } catch (CharacterCodingException e) {
      throw new BadArgumentException(
          where()
              + ": byte "
              + (bytes.position() - start + 1)
              + " is not UTF-8; convert the file, for example with iconv -t UTF-8",
          e);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw failed(path, e);
    }
  }
}
