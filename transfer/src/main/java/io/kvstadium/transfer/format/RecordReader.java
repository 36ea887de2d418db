package io.kvstadium.transfer.format;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a file, compressed or not, into lines or into records whose quoted fields may span lines.
 * Text is UTF-8, or UTF-16 with a byte order mark, which is read as UTF-8. Keeps one buffer as long
 * as the longest record so far; a record is a slice of it, valid until the next {@link #advance}.
 */
public final class RecordReader {
  private static final int START_BYTES = 1 << 16;

  /** What separates fields, where that is not known before. */
  private static final String DELIMITERS = ",;\t";

  private static final int UNKNOWN = -2;
  private static final int NONE = -1;

  /** Excel's way to name the delimiter, on a line before the header. */
  private static final Pattern NAMED_DELIMITER = Pattern.compile("\"?sep=([\\x00-\\x7f])\"?");

  /** The file's name, for messages; empty for none. */
  private final String name;

  private final int maxBytes;

  /** The quote inside which line ends do not count, or -1 for none. */
  private final int quote;

  /** Where a quote may open: after this byte or at the start of a record. */
  private int delimiter;

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

  private RecordReader(String name, InputStream in, int maxBytes, int quote, int delimiter) {
    this.name = name;
    this.in = in;
    this.maxBytes = maxBytes;
    this.quote = quote;
    this.delimiter = delimiter;
  }

  /**
   * Reads lines of a stream, which stays open.
   *
   * @param name of the file, for messages, or empty
   * @param maxBytes the length of the longest line that is accepted
   */
  public static RecordReader lines(String name, InputStream in, int maxBytes) throws IOException {
    return new RecordReader(name, DecodedInput.of(in), maxBytes, NONE, NONE);
  }

  /**
   * Reads records of a stream, which stays open, below a header whose fields tell what separates
   * them: commas, semicolons or tabs, whichever are most, unless a line before it says so ({@code
   * sep=;}).
   */
  public static RecordReader table(String name, InputStream in, int maxBytes) throws IOException {
    return new RecordReader(name, DecodedInput.of(in), maxBytes, '"', UNKNOWN);
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
        if (delimiter != UNKNOWN || !namesDelimiter()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Finds the delimiter in the first record; returns whether that is all the record is for. */
  private boolean namesDelimiter() {
    String record = new String(buffer, start, end - start, StandardCharsets.UTF_8);
    Matcher named = NAMED_DELIMITER.matcher(record);
    if (named.matches()) {
      delimiter = named.group(1).charAt(0);
      return true;
    }
    String plain = record.replaceAll("\"[^\"]*\"", "");
    delimiter = DELIMITERS.charAt(0);
    for (int i = 1; i < DELIMITERS.length(); i++) {
      char each = DELIMITERS.charAt(i);
      if (count(plain, each) > count(plain, (char) delimiter)) {
        delimiter = each;
      }
    }
    return false;
  }

  private static long count(String text, char character) {
    return text.chars().filter(each -> each == character).count();
  }

  /** What separates fields; known once there is a record. */
  char delimiter() {
    return (char) delimiter;
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
    return where(line);
  }

  private String where(long number) {
    return (name.isEmpty() ? "" : name + ", ") + "line " + number;
  }

  /** A copy of the record. */
  public byte[] copy() {
    return Arrays.copyOfRange(buffer, start, end);
  }

  private boolean cut() {
    start = next;
    line = nextLine;
    int p = start;
    Place place = Place.FIELD_START;
    while (true) {
      if (p == filled) {
        int scanned = p - start;
        if (!fill()) {
          return last(place == Place.QUOTED);
        }
        p = start + scanned;
      }
      byte b = buffer[p++];
      if (b == '\n') {
        nextLine++;
        if (place != Place.QUOTED) {
          next = p;
          end = p - 1 > start && buffer[p - 2] == '\r' ? p - 2 : p - 1;
          return true;
        }
      } else if (quote >= 0) {
        place =
            place.after(
                b == quote, delimiter == UNKNOWN ? DELIMITERS.indexOf(b) >= 0 : b == delimiter);
      }
    }
  }

  /** The reader's place in a field, as far as it decides whether a line end counts. */
  private enum Place {
    FIELD_START,
    PLAIN,
    QUOTED,
    /** After a quote inside quotes: the end of the field, or the first half of a doubled one. */
    CLOSED;

    Place after(boolean quote, boolean delimiter) {
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
    } catch (IOException e) {
      throw failed(name, where(nextLine), e);
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

  private static StadiumException failed(String name, String where, IOException e) {
    String damage = DecodedInput.damage(e);
    return damage != null
        ? new BadArgumentException(where + ": " + damage, e)
        : new StoreIoException(
            "Reading "
                + (name.isEmpty() ? "the input" : name)
                + " failed: "
                + e.getMessage()
                + "; check that it can be read",
            e);
  }

  /**
   * The UTF-8 of a text.
   *
   * @throws BadArgumentException if it has none, with the place
   */
  public static byte[] utf8(String text, String where) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] utf8 = new byte[bytes.remaining()];
      bytes.get(utf8);
      return utf8;
    } catch (CharacterCodingException e) {
      throw new BadArgumentException(
          where + ": half of a surrogate pair, such as \\ud800, is no character: correct it", e);
    }
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
              + " is not UTF-8; convert the file, for example with iconv -f LATIN1 -t UTF-8",
          e);
    }
  }
}
