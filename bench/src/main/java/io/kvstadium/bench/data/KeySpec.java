package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What generated keys look like. The byte order of the numeric forms is the order of their indexes.
 *
 * @param form how an index becomes bytes
 * @param minLength length of the shortest keys in bytes; this many first bytes already make each
 *     key unique
 * @param maxLength length of the longest; all lengths between the two are equally frequent
 */
public record KeySpec(Form form, int minLength, int maxLength) {
  /** How an index becomes a key. */
  public enum Form {
    /** The index as 4 bytes, big-endian. */
    UINT32(4, 4),
    /** The index as 8 bytes, big-endian. */
    UINT64(8, 8),
    /** The index in decimal, padded with zeros to a fixed length. */
    DIGITS(8, 1 << 16),
    /** Random characters of {@code A–Z}, {@code a–z} and {@code 0–9}. */
    RANDOM_STRING(20, 1 << 16),
    /** Random bytes. */
    RANDOM_BYTES(16, 1 << 16);

    private final int usualLength;
    private final int maxLength;

    Form(int usualLength, int maxLength) {
      this.usualLength = usualLength;
      this.maxLength = maxLength;
    }

    /** As written in suites: {@code random-string}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the byte order of the keys is the order of their indexes. */
    public boolean ascending() {
      return this == UINT32 || this == UINT64 || this == DIGITS;
    }

    private boolean fixed() {
      return this == UINT32 || this == UINT64;
    }
  }

  public KeySpec {
    if (minLength < 1
        || minLength > maxLength
        || maxLength > form.maxLength
        || (form.fixed() && maxLength != form.usualLength)) {
      throw new BadArgumentException(
          "Keys of form "
              + form.text()
              + " cannot be "
              + lengths(minLength, maxLength)
              + " bytes long: "
              + (form.fixed()
                  ? "leave the length out"
                  : "give 1 to " + form.maxLength + ", the smaller first"));
    }
    if (minLength < maxLength && form.ascending()) {
      throw new BadArgumentException(
          "Keys of form "
              + form.text()
              + " of several lengths would not be in the order of their numbers: give one length,"
              + " or use random-string or random-bytes");
    }
  }

  /** Creates keys of equal length. */
  public KeySpec(Form form, int length) {
    this(form, length, length);
  }

  /** Returns the length of a key in bytes; of the longest, if lengths differ. */
  public int length() {
    return maxLength;
  }

  /** Returns the average length of a key in bytes. */
  public double meanLength() {
    return (minLength + (double) maxLength) / 2;
  }

  /** Returns keys of the form's usual length. */
  public static KeySpec of(Form form) {
    return new KeySpec(form, form.usualLength);
  }

  /**
   * Reads {@code form}, {@code form:length} or {@code form:min..max}, such as {@code uint64},
   * {@code digits:8} or {@code random-bytes:16..20}.
   */
  public static KeySpec parse(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    Form form = null;
    for (Form candidate : Form.values()) {
      if (candidate.text().equals(name)) {
        form = candidate;
      }
    }
    if (form == null) {
      List<String> names = Arrays.stream(Form.values()).map(Form::text).toList();
      throw new BadArgumentException(
          "Unknown key form '" + name + "'" + Nearest.hint(name, names) + ": give one of " + names);
    }
    if (colon < 0) {
      return of(form);
    }
    String length = text.substring(colon + 1);
    int dots = length.indexOf("..");
    try {
      return dots < 0
          ? new KeySpec(form, Integer.parseInt(length))
          : new KeySpec(
              form,
              Integer.parseInt(length.substring(0, dots)),
              Integer.parseInt(length.substring(dots + 2)));
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          "The length in key form '" + text + "' is not a number: write " + of(form), e);
    }
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return form.fixed() ? form.text() : form.text() + ":" + lengths(minLength, maxLength);
  }

  private static String lengths(int min, int max) {
    return min == max ? Integer.toString(min) : min + ".." + max;
  }
}
