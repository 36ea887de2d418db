package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreIoException;
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
 * The user's own data, read as a stream: never more than one entry of it is in memory (of a
 * directory, the names of its files too). Immutable and safe for all threads; the files must not
 * change while they are in use.
 */
public interface Dataset {
  /** What can be read, for messages. */
  String KINDS =
      "a directory of files, .jsonl, .ndjson, .json (one document per line), .csv or .tsv, each"
          + " also with .gz, an SQLite file, or a JDBC URL";

  /** Where the data is, for messages. */
  String source();

  /** {@code directory}, {@code jsonl}, {@code csv}, {@code tsv}, {@code sqlite} … */
  String format();

  /** What keys are taken from, and how they were read. */
  DatasetOptions options();

  /**
   * All entries in their order in the data. {@code next} throws {@link BadEntry} for one that
   * cannot be read, and goes on behind it. Iteration throws {@link BadArgumentException} if what
   * follows cannot be read either, {@link StoreIoException} if reading fails.
   */
  EntryIterator scan();

  /** The same without bad entries, which are left out if the options say so, and else refused. */
  default EntryIterator entries() {
    return new CheckedEntries(scan(), options().skipBad());
  }

  /** What it is and where entries come from, for reports: name → text. */
  default Map<String, String> describe() {
    String key = options().key();
    Map<String, String> words = new LinkedHashMap<>();
    words.put("source", source());
    words.put("format", format());
    words.put("key", key == null ? "file name" : key);
    return words;
  }

  /** Whether a copy in one file would be read much sooner. */
  default boolean isSlow() {
    return false;
  }

  /** What is there and was not taken for an entry, for reports: {@code 2 symbolic links}. */
  default List<String> leftOut() {
    return List.of();
  }

  /** Of entries that were left out because they cannot be read: the first, with what is wrong. */
  default List<String> skipped() {
    return List.of();
  }

  /**
   * Recognizes data by its file name and checks that there is an entry.
   *
   * @throws BadArgumentException if there is nothing to read, it is of no known kind, or the key's
   *     field was not given or is unknown; the message lists what there is
   */
  static Dataset open(Path path, DatasetOptions options) {
    checkExists(path);
    Dataset dataset = recognize(path, options);
    try (EntryIterator entries = dataset.scan()) {
      if (!entries.hasNext()) {
        throw new BadArgumentException(path + " has no entries: give data with one at least");
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
      case "csv" -> CsvDataset.read(path, ',', options);
      case "tsv" -> CsvDataset.read(path, '\t', options);
      default -> throw unknownKind(path);
    };
  }

  private static String extension(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    return plain.substring(plain.lastIndexOf('.') + 1);
  }

  private static BadArgumentException unknownKind(Path path) {
    return new BadArgumentException(
        "Cannot tell from the name of " + path + " what it is: give " + KINDS);
  }

  /**
   * How many bytes each value has, in their order in the data: for who wants the sizes only, and
   * need not say which field is the key. Reads all of the data once.
   *
   * @throws BadArgumentException if there is nothing to read, or it is of no known kind or
   *     malformed
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
          case "csv" -> RecordReader.quoted(path, longest, ',');
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

  /** Asks for a field or column, and says which there are. */
  static BadArgumentException noKeyGiven(String source, String what, List<String> names) {
    return new BadArgumentException(
        source + ": which " + what + " is the key? Give one of " + shown(names) + " as --key");
  }

  /** At most 20 names, for messages. */
  static String shown(List<String> names) {
    return names.size() <= 20
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 20)) + " … (" + names.size() + " in all)";
  }

  /**
   * An entry by its place among all of {@link #scan}, bad ones included; may read all that stands
   * before it. {@code null} if there is none.
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
          // counts, so that places do not depend on what is skipped
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
