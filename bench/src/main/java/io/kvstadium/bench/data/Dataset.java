package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The user's own data, read as a stream: never more than one entry of it is in memory (of a
 * directory, the names of its files too). Immutable and safe for all threads; the files must not
 * change while they are in use.
 */
public sealed interface Dataset permits DirectoryDataset, JsonLinesDataset, CsvDataset {
  /** What can be read, for messages. */
  String KINDS =
      "a directory of files, or .jsonl, .ndjson, .json (one document per line), .csv or .tsv, each"
          + " also with .gz";

  /** Where the data is. */
  Path path();

  /** {@code directory}, {@code jsonl}, {@code csv} or {@code tsv}. */
  String format();

  /** What keys are taken from, and how they were read. */
  DatasetOptions options();

  /**
   * All entries in their order in the data. Iteration throws {@link BadArgumentException} with file
   * and line for anything that is malformed, {@link StoreIoException} if reading fails.
   */
  EntryIterator entries();

  /**
   * Recognizes data by its file name and checks that the first entry can be read.
   *
   * @throws BadArgumentException if there is nothing to read, it is of no known kind, or the key's
   *     field was not given or is unknown; the message lists what there is
   */
  static Dataset open(Path path, DatasetOptions options) {
    checkExists(path);
    Dataset dataset = recognize(path, options);
    try (EntryIterator entries = dataset.entries()) {
      if (!entries.hasNext()) {
        throw new BadArgumentException(path + " has no entries: give data with one at least");
      }
      entries.next();
    }
    return dataset;
  }

  private static Dataset recognize(Path path, DatasetOptions options) {
    if (Files.isDirectory(path)) {
      if (options.key() != null) {
        throw new BadArgumentException(
            path + " is a directory, whose keys are the names of its files: leave out the key");
      }
      return new DirectoryDataset(path, options);
    }
    return switch (extension(path)) {
      case "jsonl", "ndjson", "json" -> new JsonLinesDataset(path, options);
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
      try (EntryIterator entries = new DirectoryDataset(path, DatasetOptions.of(null)).entries()) {
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

  /** Whoever has to name a field or column says which there are. */
  static BadArgumentException noKeyGiven(Path path, String what, List<String> names) {
    return new BadArgumentException(
        path + ": which " + what + " is the key? Give one of " + shown(names));
  }

  /** At most 20 names, for messages. */
  static String shown(List<String> names) {
    return names.size() <= 20
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 20)) + " … (" + names.size() + " in all)";
  }

  /** An entry by its place in the data; may read all that stands before it. */
  default @Nullable Entry entryAt(long ordinal) {
    try (EntryIterator entries = entries()) {
      for (long k = 0; entries.hasNext(); k++) {
        Entry entry = entries.next();
        if (k == ordinal) {
          return entry;
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
