package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.DBOptions;

/**
 * What the newest {@code OPTIONS} file of another program's database says: RocksDB's Java interface
 * has no other way to find out. Without such a file RocksDB's defaults are assumed, and RocksDB
 * itself refuses a family with another order of keys.
 */
final class Adoption {
  private static final Pattern FILE = Pattern.compile("OPTIONS-(\\d{1,18})");
  private static final Pattern FAMILY = Pattern.compile("\\[CFOptions \"(.*)\"]");
  private static final Pattern OPTION = Pattern.compile("(\\w+)=\\{?(?:id=)?([^;}]*).*");
  private static final String BYTEWISE = "leveldb.BytewiseComparator";
  private static final String TTL = "TtlCompactionFilterFactory";

  /** Why column families cannot be opened, by their names. */
  final Map<String, String> unreadable = new TreeMap<>();

  private final Path directory;
  private String log = "";

  Adoption(Path directory) throws IOException {
    this.directory = directory;
    String family = null;
    for (String line : newest()) {
      Matcher option = OPTION.matcher(line);
      if (line.startsWith("[")) {
        Matcher section = FAMILY.matcher(line);
        family = section.matches() ? section.group(1) : null;
      } else if (option.matches()) {
        note(family, option.group(1), option.group(2));
      }
    }
  }

  private List<String> newest() throws IOException {
    Optional<Path> newest;
    try (Stream<Path> files = Files.list(directory)) {
      newest =
          files
              .filter(file -> FILE.matcher(file.getFileName().toString()).matches())
              .max(Comparator.comparingLong(Adoption::number));
    }
    return newest.isEmpty()
        ? List.of()
        : Files.readAllLines(newest.get(), StandardCharsets.ISO_8859_1).stream()
            .map(String::strip)
            .toList();
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring("OPTIONS-".length()));
  }

  private void note(@Nullable String family, String option, String value) {
    if (family == null) {
      log = option.equals("wal_dir") ? value : log;
    } else if (option.equals("comparator") && !value.equals(BYTEWISE)) {
      unreadable.put(
          family, "its keys are not in the order of their bytes but in that of " + value);
    } else if (option.equals("compaction_filter_factory") && value.equals(TTL)) {
      unreadable.put(
          family,
          "DBWithTTL (TtlDB) wrote it, which ends each value in four bytes of time: read it with"
              + " that");
    } else if (option.equals("merge_operator") && !value.equals("nullptr")) {
      unreadable.put(
          family,
          "its program merges values by the operator "
              + value
              + ", and RocksDB gives no error for what is not merged yet");
    }
  }

  /**
   * Sets where the log is, if it is not beside the tables: without it, what is not flushed yet
   * would be missing.
   */
  void set(DBOptions options) throws IOException {
    if (log.isEmpty() || hasLog()) { // the latter also if it was moved together with it
      return;
    }
    Path place = directory.resolve(log);
    if (!Files.isDirectory(place)) {
      throw new UnsupportedException(
          ("%s has its newest entries in a log in %s (wal_dir), which is not there:"
                  + " bring it back, or copy its *.log files to %s")
              .formatted(directory, place, directory));
    }
    options.setWalDir(place.toString());
  }

  private boolean hasLog() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().endsWith(".log"));
    }
  }
}
