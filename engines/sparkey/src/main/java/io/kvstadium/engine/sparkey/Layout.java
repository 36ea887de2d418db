package io.kvstadium.engine.sparkey;

import io.kvstadium.store.engine.help.Sync;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a store. Generation 12 of table {@code Users} is the pair {@code t-+users.12.spl}
 * (log) and {@code t-+users.12.spi} (index). The plus marks a capital, because two tables may
 * differ only by case, which a file system may ignore. A pair counts once its index has its final
 * name, and of several complete pairs the one with the highest number counts.
 */
record Layout(Path directory) {
  private static final Pattern INDEX = Pattern.compile("t-([a-z0-9_.+-]+)\\.(\\d{1,18})\\.spi");
  private static final Pattern OURS =
      Pattern.compile("t-[a-z0-9_.+-]+\\.\\d{1,18}(\\.draft\\d)?\\.sp[il](-tmp.*)?");

  /** A complete pair of files. */
  record Pair(String table, long number, File base) {}

  /** What Sparkey calls the file: the pair's common name without the endings. */
  File base(String table, long number) {
    StringBuilder name = new StringBuilder("t-");
    for (int i = 0; i < table.length(); i++) {
      char c = table.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        name.append('+');
      }
      name.append(Character.toLowerCase(c));
    }
    return directory.resolve(name + "." + number).toFile();
  }

  static Path log(File base) {
    return Path.of(base + ".spl");
  }

  static Path index(File base) {
    return Path.of(base + ".spi");
  }

  private static String tableOf(String encoded) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < encoded.length(); i++) {
      boolean capital = encoded.charAt(i) == '+' && i + 1 < encoded.length();
      name.append(
          capital
              ? encoded.substring(++i, i + 1).toUpperCase(Locale.ROOT)
              : encoded.substring(i, i + 1));
    }
    return name.toString();
  }

  /** The files of all tables, and of loads that have not ended. */
  List<Path> ours() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> OURS.matcher(file.getFileName().toString()).matches()).toList();
    }
  }

  /** Whether there is a complete pair. */
  boolean holdsStore() throws IOException {
    return Files.isDirectory(directory) && !newest().isEmpty();
  }

  /** The pair that counts, for each table. */
  Map<String, Pair> newest() throws IOException {
    Map<String, Pair> pairs = new HashMap<>();
    for (Path file : ours()) {
      Matcher matcher = INDEX.matcher(file.getFileName().toString());
      if (matcher.matches()) {
        String table = tableOf(matcher.group(1));
        long number = Long.parseLong(matcher.group(2));
        Pair pair = new Pair(table, number, base(table, number));
        if (Files.exists(log(pair.base()))) {
          pairs.merge(table, pair, (a, b) -> a.number() > b.number() ? a : b);
        }
      }
    }
    return pairs;
  }

  /** Another program's complete pairs, by their names: in a directory, or one of its two files. */
  static Map<String, Pair> foreign(Path place) throws IOException {
    Map<String, Pair> pairs = new HashMap<>();
    try (Stream<Path> files = Files.isDirectory(place) ? Files.list(place) : Stream.of(place)) {
      for (Path file : files.toList()) {
        String path = file.toString();
        File base = new File(path.substring(0, Math.max(0, path.length() - ".spi".length())));
        if (path.matches(".+\\.sp[il]") && Files.exists(log(base)) && Files.exists(index(base))) {
          pairs.put(base.getName(), new Pair(base.getName(), 0, base));
        }
      }
    }
    return pairs;
  }

  /** Removes what a crash left behind: all of our files except these pairs. */
  void removeAllBut(Iterable<Pair> pairs) throws IOException {
    List<Path> rest = new ArrayList<>(ours());
    for (Pair pair : pairs) {
      rest.remove(log(pair.base()));
      rest.remove(index(pair.base()));
    }
    for (Path file : rest) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Removes a pair, the index first, since without it the pair no longer counts. Another program's
   * stays.
   */
  void removePair(File base) throws IOException {
    if (!OURS.matcher(index(base).getFileName().toString()).matches()) {
      return;
    }
    Files.deleteIfExists(index(base));
    Files.deleteIfExists(log(base));
  }

  /**
   * Gives a finished pair its final name. The index comes last and makes it count.
   *
   * @param durable whether both files are flushed before, and their names afterwards
   */
  void publish(File draft, File base, boolean durable) throws IOException {
    if (durable) {
      Sync.force(log(draft));
      Sync.force(index(draft));
    }
    Files.move(log(draft), log(base), StandardCopyOption.ATOMIC_MOVE);
    Files.move(index(draft), index(base), StandardCopyOption.ATOMIC_MOVE);
    if (durable) {
      forceNames();
    }
  }

  void forceNames() throws IOException {
    Sync.force(directory);
  }
}
