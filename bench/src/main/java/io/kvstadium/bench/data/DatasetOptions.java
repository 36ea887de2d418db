package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.spi.Nearest;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How to read the user's data.
 *
 * @param key the field or column that holds the key; {@code null} for directories, whose keys are
 *     the names of the files
 * @param encoding how a key's text becomes bytes
 * @param maxValueBytes the longest value, line or record that is accepted; it must fit in memory
 * @param recurse whether a directory's sub-folders are read too
 * @param skipBad whether entries that cannot be read are left out, rather than refused
 */
public record DatasetOptions(
    @Nullable String key,
    KeyEncoding encoding,
    int maxValueBytes,
    boolean recurse,
    boolean skipBad) {
  /** How a key's text becomes bytes. */
  public enum KeyEncoding {
    /** As UTF-8. */
    TEXT,
    /** A decimal number from 0 to 2^32 - 1, as 4 bytes, big-endian. */
    UINT32,
    /** A decimal number from 0 to 2^64 - 1, as 8 bytes, big-endian. */
    UINT64;

    /** Reads {@code text}, {@code uint32} or {@code uint64}. */
    public static KeyEncoding parse(String text) {
      for (KeyEncoding encoding : values()) {
        if (encoding.text().equals(text)) {
          return encoding;
        }
      }
      var names = Arrays.stream(values()).map(KeyEncoding::text).toList();
      throw new BadArgumentException(
          "Unknown key encoding '"
              + text
              + "'"
              + Nearest.hint(text, names)
              + ": give one of "
              + names);
    }

    /** Returns the text that {@link #parse} reads. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** 64 MiB, several of which fit into a small heap. */
  public static final int DEFAULT_MAX_VALUE_BYTES = 64 << 20;

  public DatasetOptions {
    if (maxValueBytes < 1 || maxValueBytes > 1 << 30) {
      throw new BadArgumentException(
          "Longest value of " + maxValueBytes + " bytes: give 1 to " + (1 << 30));
    }
  }

  /** Creates options that include sub-folders and refuse unreadable entries. */
  public DatasetOptions(@Nullable String key, KeyEncoding encoding, int maxValueBytes) {
    this(key, encoding, maxValueBytes, true, false);
  }

  /** Returns options with keys as text and values of up to 64 MiB. */
  public static DatasetOptions of(@Nullable String key) {
    return of(key, true, false);
  }

  /** Returns the same options with the given choices. */
  public static DatasetOptions of(@Nullable String key, boolean recurse, boolean skipBad) {
    return new DatasetOptions(key, KeyEncoding.TEXT, DEFAULT_MAX_VALUE_BYTES, recurse, skipBad);
  }
}
