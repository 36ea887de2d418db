package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.spi.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What generated keys look like. The byte order of the numeric forms is the order of their indexes.
 *
 * @param form how an index becomes bytes
 * @param length bytes of every key
 */
public record KeySpec(Form form, int length) {
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
    boolean ascending() {
      return this == UINT32 || this == UINT64 || this == DIGITS;
    }

    private boolean fixed() {
      return this == UINT32 || this == UINT64;
    }
  }

  public KeySpec {
    if (length < 1 || length > form.maxLength || (form.fixed() && length != form.usualLength)) {
      throw new BadArgumentException(
          "Keys of form "
              + form.text()
              + " cannot be "
              + length
              + " bytes long: "
              + (form.fixed() ? "leave the length out" : "give 1 to " + form.maxLength));
    }
  }

  /** Keys of the form's usual length. */
  public static KeySpec of(Form form) {
    return new KeySpec(form, form.usualLength);
  }

  /** Reads {@code form} or {@code form:length}, such as {@code uint64} or {@code digits:8}. */
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
    try {
      return new KeySpec(form, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          "The length in key form '" + text + "' is no number: write " + of(form), e);
    }
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return form.fixed() ? form.text() : form.text() + ":" + length;
  }
}
