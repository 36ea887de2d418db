package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.transfer.records.RecordReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The user's own data, read as a stream: at most one entry is in memory at a time (for a directory,
 * also the names of its files). Immutable and safe for all threads; the files must not change while
 * they are in use.
 */
public interface Dataset {
  /** The kinds of data that can be read, for messages. */
  String KINDS =
      "a directory of files, .jsonl, .ndjson, .json (one document per line), .csv or .tsv, each"
          + " also with .gz or .zst, an SQLite file, or a JDBC URL";

  /** Where the data is, for messages. */
  String source();

  /** {@code directory}, {@code jsonl}, {@code csv}, {@code tsv}, {@code sqlite} … */
  String format();

  /** What keys are taken from, and how they are read. */
  DatasetOptions options();

  /**
   * Returns all entries in the order of the data. {@code next} throws {@link BadEntry} for one that
   * cannot be read, and continues after it. Iteration throws {@link BadArgumentException} if the
   * rest cannot be read either, {@link StoreIoException} if reading fails.
   */
  EntryIterator scan();

  /**
   * Returns the entries without bad ones, which are skipped if the options say so, or else refused.
   */
  default EntryIterator entries() {
    return new CheckedEntries(scan(), options().skipBad());
  }

  /** Describes the data and where entries come from, for reports: name → text. */
  default Map<String, String> describe() {
    String key = options().key();
    Map<String, String> words = new LinkedHashMap<>();
    words.put("source", source());
    words.put("format", format());
    words.put("key", key == null ? "file name" : key);
    return words;
  }

  /** Returns whether a copy in one file would be much faster to read. */
  default boolean isSlow() {
    return false;
  }

  /** Returns what is there but is not an entry, for reports: {@code 2 symbolic links}. */
  default List<String> leftOut() {
    return List.of();
  }

  /** Returns the first of the unreadable entries that were left out, with what is wrong. */
  default List<String> skipped() {
    return List.of();
  }

  /**
   * Recognizes data by its file name and checks that there is an entry.
   *
   * @throws BadArgumentException if there is nothing to read, its kind is unknown, or the key's
   *     field was not given or is unknown; the message lists what there is
   */
  static Dataset open(Path path, DatasetOptions options) {
    checkExists(path);
    Dataset dataset = recognize(path, options);
    try (EntryIterator entries = dataset.scan()) {
      if (!entries.hasNext()) {
        throw new BadArgumentException(path + " has no entries: give data with at least one");
      }
    }
    return dataset;
  }

  private static Dataset recognize(Path path, DatasetOptions options) {
    if (Files.isDirectory(path)) {
      if (options.key() != null) {
        throw new BadArgumentException(
            path + " is a directory, whose keys are the names of its files: leave out the key");
      }
      return DirectoryDataset.list(path, options);
    }
    if (!options.recurse()) {
      throw new BadArgumentException(
          path + " is a file, and --no-recurse is for a directory's sub-folders: leave it out");
    }
    return switch (extension(path)) {
      case "jsonl", "ndjson", "json" -> JsonLinesDataset.read(path, options);
      case "csv" -> CsvDataset.read(path, false, options);
      case "tsv" -> CsvDataset.read(path, true, options);
      default -> throw unknownKind(path);
    };
  }

  private static String extension(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    String plain = name.replaceFirst("\\.(gz|zst)$", "");
    return plain.substring(plain.lastIndexOf('.') + 1);
  }

  private static BadArgumentException unknownKind(Path path) {
    return new BadArgumentException(
        "Cannot tell from the name of " + path + " what it is: give " + KINDS);
  }

  /**
   * Reports how many bytes each value has, in the order of the data: for callers that want only the
   * sizes and need not name the key. Reads all of the data once.
   *
   * @throws BadArgumentException if there is nothing to read, or it is malformed or of an unknown
   *     kind
   */
  static void valueLengths(Path path, LongConsumer lengths) {
    checkExists(path);
    if (Files.isDirectory(path)) {
      try (EntryIterator entries = DirectoryDataset.list(path, DatasetOptions.of(null)).entries()) {
        entries.forEachRemaining(entry -> lengths.accept(entry.value().length));
      }
      return;
    }
    int longest = DatasetOptions.DEFAULT_MAX_VALUE_BYTES;
    String extension = extension(path);
    boolean headed = extension.equals("csv") || extension.equals("tsv");
    try (RecordReader records =
        switch (extension) {
          case "jsonl", "ndjson", "json" -> RecordReader.lines(path, longest);
          case "csv" -> RecordReader.table(path, longest);
          case "tsv" -> RecordReader.quoted(path, longest, '\t');
          default -> throw unknownKind(path);
        }) {
      if (headed) {
        records.advance();
      }
      while (records.advance()) {
        records.checkUtf8();
        lengths.accept(records.end() - records.start());
      }
    }
  }

  private static void checkExists(Path path) {
    if (!Files.exists(path)) {
      throw new BadArgumentException(
          "There is no data at " + path.toAbsolutePath() + ": give " + KINDS);
    }
  }

  /** Asks for a field or column and lists the existing ones. */
  static BadArgumentException noKeyGiven(String source, String what, List<String> names) {
    return new BadArgumentException(
        source
            + ": which "
            + what
            + " is the key? Give one of "
            + RecordReader.shown(names)
            + " as --key");
  }

  /**
   * Returns an entry by its position in {@link #scan}, counting bad ones, or {@code null} if there
   * is none. May read everything before it.
   */
  default @Nullable Entry entryAt(long ordinal) {
    try (EntryIterator entries = scan()) {
      for (long k = 0; entries.hasNext(); k++) {
        try {
          Entry entry = entries.next();
          if (k == ordinal) {
            return entry;
          }
        } catch (BadEntry e) {
          // counted, so that positions do not depend on what is skipped
        }
      }
      return null;
    }
  }

  /** A failed read of the data, as an unchecked exception. */
  static StoreIoException failed(Path path, IOException e) {
    return new StoreIoException(
        "Reading " + path + " failed: " + e.getMessage() + "; check that it can be read", e);
  }
}
