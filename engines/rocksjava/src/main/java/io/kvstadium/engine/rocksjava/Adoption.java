package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.UInt64AddOperator;

/**
 * What the newest {@code OPTIONS} file of another program's database says about its column
 * families: RocksDB's Java interface has no other way to find out. Without such a file RocksDB's
 * defaults are assumed for all, and RocksDB itself refuses a family with another order of keys.
 */
final class Adoption {
  private static final Pattern FILE = Pattern.compile("OPTIONS-(\\d{1,18})");
  private static final Pattern SECTION = Pattern.compile("\\[(\\w+)(?: \"(.*)\")?]");
  private static final Pattern OPTION = Pattern.compile("(\\w+)=(.*)");
  private static final Pattern NAME = Pattern.compile("\\{?(?:id=)?([^;}]*).*");
  private static final Pattern DELIMITER = Pattern.compile(".*;delimiter=(.*);}");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
  private static final String NOTHING = "nullptr";
  private static final Set<String> MERGES =
      Set.of(NOTHING, "UInt64AddOperator", "StringAppendOperator");
  private static final String BYTEWISE = "leveldb.BytewiseComparator";
  private static final String TTL = "TtlCompactionFilterFactory";

  /** Stands for the whole database, among the names of its families. */
  private static final String DATABASE = "\0database";

  private final Path directory;
  private final Map<String, Map<String, String>> families;

  private Adoption(Path directory, Map<String, Map<String, String>> families) {
    this.directory = directory;
    this.families = families;
  }

  static Adoption of(Path directory) throws IOException {
    Map<String, Map<String, String>> families = new HashMap<>();
    Optional<Path> newest;
    try (Stream<Path> files = Files.list(directory)) {
      newest =
          files
              .filter(file -> FILE.matcher(file.getFileName().toString()).matches())
              .max(Comparator.comparingLong(Adoption::number));
    }
    if (newest.isPresent()) {
      read(Files.readAllLines(newest.get(), StandardCharsets.ISO_8859_1), families);
    }
    return new Adoption(directory, families);
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring("OPTIONS-".length()));
  }

  private static void read(List<String> lines, Map<String, Map<String, String>> families) {
    Map<String, String> family = null;
    for (String line : lines) {
      Matcher section = SECTION.matcher(line.strip());
      Matcher option = OPTION.matcher(line.strip());
      if (section.matches()) {
        String name =
            switch (section.group(1)) {
              case "DBOptions" -> DATABASE;
              case "CFOptions" -> section.group(2);
              default -> null;
            };
        family = name == null ? null : families.computeIfAbsent(name, _ -> new HashMap<>());
      } else if (family != null && option.matches()) {
        family.put(option.group(1), option.group(2));
      }
    }
  }

  private String option(String family, String name, String otherwise) {
    return families.getOrDefault(family, Map.of()).getOrDefault(name, otherwise);
  }

  private static String name(String value) {
    Matcher matcher = NAME.matcher(value);
    return matcher.matches() ? matcher.group(1) : value;
  }

  /** Returns why a column family cannot be opened, or {@code null} if it can. */
  @Nullable String unreadable(String family) {
    String comparator = name(option(family, "comparator", BYTEWISE));
    if (!comparator.equals(BYTEWISE)) {
      return "its keys are not in the order of their bytes but in that of " + comparator;
    }
    if (name(option(family, "compaction_filter_factory", NOTHING)).equals(TTL)) {
      return "DBWithTTL (TtlDB) wrote it, which ends each value in four bytes of time: read it with"
          + " that";
    }
    String merge = name(option(family, "merge_operator", NOTHING));
    if (!MERGES.contains(merge)) {
      return "its program merges values by its own operator "
          + merge
          + ", and RocksDB gives no error for what is not merged yet";
    }
    return null;
  }

  private static String unescaped(String text) {
    return ESCAPED
        .matcher(text)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                switch (found.group(1)) {
                  case "n" -> "\n";
                  case "r" -> "\r";
                  default -> found.group(1);
                }));
  }

  /**
   * Sets where the log is, if it is not beside the tables: without it, what is not flushed yet
   * would be missing.
   */
  void set(DBOptions options) throws IOException {
    String log = option(DATABASE, "wal_dir", "");
    if (log.isEmpty() || hasLog(directory)) { // the latter also if it was moved together with it
      return;
    }
    Path place = directory.resolve(unescaped(log));
    if (!Files.isDirectory(place)) {
      throw new UnsupportedException(
          ("%s has its newest entries in a log in %s (wal_dir), which is not there:"
                  + " bring it back, or copy its *.log files to %s")
              .formatted(directory, place, directory));
    }
    options.setWalDir(place.toString());
  }

  private static boolean hasLog(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().endsWith(".log"));
    }
  }

  /** Sets the operator without which values that are not merged yet cannot be read. */
  void set(ColumnFamilyOptions options, String family) {
    String merge = option(family, "merge_operator", NOTHING);
    switch (name(merge)) {
      case "UInt64AddOperator" -> {
        try (UInt64AddOperator operator = new UInt64AddOperator()) {
          options.setMergeOperator(operator); // the options keep it
        }
      }
      case "StringAppendOperator" -> {
        Matcher delimiter = DELIMITER.matcher(merge);
        try (StringAppendOperator operator =
            new StringAppendOperator(delimiter.matches() ? unescaped(delimiter.group(1)) : "")) {
          options.setMergeOperator(operator);
        }
      }
      default -> {} // refused before
    }
  }
}
