package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What to record of a store, and where; see {@link Recording}.
 *
 * @param file the trace; one that exists is continued
 * @param oneOf of how many keys one is recorded: all operations on it, chosen by its hash
 * @param tokens whether to replace keys by tokens that keep their order, computed from the secret
 *     in the environment variable {@code STADIUM_TRACE_SECRET}
 */
public record RecordOptions(Path file, int oneOf, boolean tokens) {
  private static final Pattern SAMPLE = Pattern.compile("(?:1/)?([1-9]\\d{0,5})");

  public RecordOptions {
    Arguments.given("RecordOptions", "file", file);
    if (oneOf < 1) {
      throw new BadArgumentException(
          "record_sample: one of " + oneOf + " keys cannot be recorded: write 1/64, for example");
    }
  }

  /** All keys, as they are. */
  public static RecordOptions of(Path file) {
    return new RecordOptions(file, 1, false);
  }

  /**
   * As URLs have them.
   *
   * @param sample {@code 1/64}, or {@code null} for all keys
   * @param keys {@code plain} or {@code tokens}, or {@code null} for plain ones
   * @throws BadArgumentException if one of them is something else
   */
  public static RecordOptions parse(String file, @Nullable String sample, @Nullable String keys) {
    Arguments.given("RecordOptions", "file", file);
    Matcher matcher = SAMPLE.matcher(sample == null ? "1" : sample);
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "record_sample=%s: write the share of keys to record, such as 1/64".formatted(sample));
    }
    if (keys != null && !keys.equals("plain") && !keys.equals("tokens")) {
      throw new BadArgumentException("record_keys=%s: write plain or tokens".formatted(keys));
    }
    if (file.isEmpty()) {
      throw new BadArgumentException("record= names no file: write record=app.trace, for example");
    }
    try {
      return new RecordOptions(
          Path.of(file), Integer.parseInt(matcher.group(1)), "tokens".equals(keys));
    } catch (InvalidPathException e) {
      throw new BadArgumentException("record=" + file + " is no valid path: " + e.getMessage(), e);
    }
  }
}
