package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The recording of what an application does with a store: each operation with its key, the length
 * of its value and its time, in a file for {@code stadium trace} and {@code stadium bench --trace}.
 * No call ever waits for the file: what comes faster than it can be written is left out and
 * counted, and a full disk ends the recording and nothing else.
 *
 * <p>Begins with the store ({@link OpenOptions#record}, {@code record=FILE} in the URL, or the
 * environment variable {@code STADIUM_RECORD}) or while it is in use, and ends with it or before.
 * Needs {@code kv-stadium-trace} on the class path. Thread-safe.
 */
public interface Recording extends AutoCloseable {
  /**
   * What to record of a store, and where.
   *
   * @param file the trace; one that exists is continued
   * @param oneOf of how many keys one is recorded: all operations on it, chosen by its hash
   * @param tokens whether to replace keys by tokens that keep their order, computed from the secret
   *     in the environment variable {@code STADIUM_TRACE_SECRET}
   * @param numbered whether a store whose file is in use, by this process or another, is recorded
   *     into one with a number in its name: {@code app-2.trace}. So it is with {@code
   *     STADIUM_RECORD}, which is said once for all stores
   */
  record Options(Path file, int oneOf, boolean tokens, boolean numbered) {
    private static final Pattern SAMPLE = Pattern.compile("(?:1/)?([1-9]\\d{0,5})");

    public Options {
      Arguments.given("Recording.Options", "file", file);
      if (oneOf < 1) {
        throw new BadArgumentException(
            "record_sample: one of " + oneOf + " keys cannot be recorded: write 1/64, for example");
      }
    }

    public Options(Path file, int oneOf, boolean tokens) {
      this(file, oneOf, tokens, false);
    }

    /** The same for any number of stores, each in a file of its own. */
    public Options forEachStore() {
      return new Options(file, oneOf, tokens, true);
    }

    /** All keys, as they are. */
    public static Options of(Path file) {
      return new Options(file, 1, false);
    }

    /**
     * As URLs have them.
     *
     * @param sample {@code 1/64}, or {@code null} for all keys
     * @param keys {@code plain} or {@code tokens}, or {@code null} for plain ones
     * @throws BadArgumentException if one of them is something else
     */
    public static Options parse(String file, @Nullable String sample, @Nullable String keys) {
      Arguments.given("Recording.Options", "file", file);
      Matcher matcher = SAMPLE.matcher(sample == null ? "1" : sample);
      if (!matcher.matches()) {
        throw new BadArgumentException(
            "record_sample=%s: write the share of keys to record, such as 1/64".formatted(sample));
      }
      if (keys != null && !keys.equals("plain") && !keys.equals("tokens")) {
        throw new BadArgumentException("record_keys=%s: write plain or tokens".formatted(keys));
      }
      if (file.isEmpty()) {
        throw new BadArgumentException(
            "record= names no file: write record=app.trace, for example");
      }
      try {
        return new Options(
            Path.of(file), Integer.parseInt(matcher.group(1)), "tokens".equals(keys));
      } catch (InvalidPathException e) {
        throw new BadArgumentException(
            "record=" + file + " is no valid path: " + e.getMessage(), e);
      }
    }
  }

  /** A store whose calls can be recorded: each that this library opened. */
  interface Recordable {
    /** See {@link Recording#start}. */
    Recording record(Options options);

    /** See {@link Recording#of}. */
    @Nullable Recording recording();
  }

  /**
   * Begins to record an open store.
   *
   * @throws BadArgumentException if the file cannot be written, is no trace, is in the store, or is
   *     being recorded into; or if the store is being recorded already
   * @throws UnsupportedException without {@code kv-stadium-trace}
   */
  static Recording start(Store store, Options options) {
    Arguments.given("Recording.start", "Recording.Options", options);
    Arguments.given("Recording.start", "store", store);
    if (store instanceof Recordable recordable) {
      return recordable.record(options);
    }
    throw new BadArgumentException(store + " is not a store that this library opened");
  }

  /** The recording of a store, or {@code null} if there is none. */
  static @Nullable Recording of(Store store) {
    return store instanceof Recordable recordable ? recordable.recording() : null;
  }

  /** The file. */
  Path file();

  /** Whether operations are still recorded: not if the file could not be written. */
  boolean isRecording();

  /** How many operations were left out because they came faster than they could be written. */
  long dropped();

  /** Ends it; what was called before is in the file. A second call does nothing. */
  @Override
  void close();
}
