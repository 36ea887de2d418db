package io.kvstadium.cli.bench;

import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The user's own data to measure, and how they are read. */
final class DataOptions {
  /** What an SQLite file begins with. */
  private static final String SQLITE = "SQLite format 3";

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description =
          "Your own entries instead of generated ones: a directory of files, .jsonl, .csv or .tsv,"
              + " also with .gz or .zst, a dump, an SQLite file, a JDBC URL, a store's URL, or - for"
              + " standard input.")
  private @Nullable String data;

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      description =
          "The field or column of --data that holds the key, or several, as a,b (default: a table's"
              + " primary key).")
  private @Nullable String key;

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The table of a database, a dump or a store (default: the only one).")
  private @Nullable String table;

  @Option(
      names = "--value",
      paramLabel = "COLUMN",
      description =
          "The field or column that holds the value (default: the only other column of a table, else"
              + " the whole line, record or row).")
  private @Nullable String value;

  @Option(
      names = "--no-recurse",
      description = "Leaves out the subfolders of the --data directory.")
  private boolean noRecurse;

  @Option(
      names = "--skip-bad",
      description = "Leaves out entries of --data that cannot be read, and says how many.")
  private boolean skipBad;

  /** The arguments of import that read --data, if it is an SQLite file; otherwise {@code null}. */
  @Nullable String sqlite() {
    if (data == null || data.startsWith("jdbc:") || !Files.isRegularFile(Path.of(data))) {
      return null;
    }
    try (InputStream file = Files.newInputStream(Path.of(data))) {
      String head = new String(file.readNBytes(SQLITE.length()), StandardCharsets.ISO_8859_1);
      return head.equals(SQLITE) ? arguments(data) : null;
    } catch (IOException e) {
      return null; // said when it is read
    }
  }

  private String arguments(String file) {
    StringJoiner words = new StringJoiner(" ").add(Invocation.quoted(file));
    Map<String, String> options = new LinkedHashMap<>();
    options.put("--table", table);
    options.put("--key", key);
    options.put("--value", value);
    options.values().removeIf(Objects::isNull);
    options.forEach((name, text) -> words.add(name).add(Invocation.quoted(text)));
    return skipBad ? words.add("--skip-bad").toString() : words.toString();
  }

  /** Whether the user gave data. */
  boolean given() {
    return data != null;
  }

  /** Returns the source that the options name, or {@code null} without {@code --data}. */
  @Nullable EntrySource source(Engines engines) {
    if (data == null) {
      String other =
          key != null
              ? "--key names a field"
              : table != null
                  ? "--table names a table"
                  : value != null
                      ? "--value names a column"
                      : noRecurse
                          ? "--no-recurse leaves out folders"
                          : skipBad ? "--skip-bad leaves out entries" : "";
      if (!other.isEmpty()) {
        throw new BadArgumentException(other + " of --data, which is missing: add --data PATH");
      }
      return null;
    }
    Columns columns = new Columns(key, value, table, EntryFile.MAX_VALUE_BYTES);
    return Sources.open(data, new SourceOptions(null, columns, !noRecurse, skipBad), engines);
  }
}
