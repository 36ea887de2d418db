package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.format.Format;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes what holds entries. */
public final class Sources {
  /** Standard input. */
  public static final String PIPE = "-";

  /** What can be read, for messages. */
  static final String KINDS =
      "a directory of files or of a HaloDB, .jsonl, .ndjson or .json (one document per line), .csv or .tsv, each"
          + " also with .gz or .zst, a dump, an SQLite file, a JDBC URL, a store's URL, or - for"
          + " standard input";

  /** The scheme or engine, then the location without options. */
  private static final Pattern URL = Pattern.compile("([a-z][a-z0-9]+):([^?]*).*");

  private Sources() {}

  /**
   * Recognizes a source by its name, or by its first bytes. Its passes leave out entries that
   * cannot be read if the options say so; otherwise they end with the first of them, or with a list
   * of up to ten.
   *
   * @param place a path, a URL, or {@link #PIPE}
   * @param engines which may be needed to read it, or bring the driver of a database
   * @throws BadArgumentException if there is nothing to read or its kind is unknown; if the options
   *     do not fit, with what there is
   */
  public static EntrySource open(String place, SourceOptions options, Engines engines) {
    EntrySource source = recognize(place, options, engines);
    if (!options.recurse() && !(source instanceof DirectorySource)) {
      throw new BadArgumentException(
          source.name() + " is no directory, and --no-recurse is for directories: leave it out");
    }
    return new CheckedSource(source, options.skipBad());
  }

  /**
   * What a stream holds, which is read once and stays open.
   *
   * @throws BadArgumentException if that cannot be told, or the options do not fit
   */
  public static EntrySource of(InputStream in, SourceOptions options) {
    return new CheckedSource(FileSource.of(in, options), options.skipBad());
  }

  /** What a stream holds in a format. */
  public static EntrySource of(InputStream in, Format format) {
    return of(in, SourceOptions.DEFAULT.format(format));
  }

  private static EntrySource recognize(String place, SourceOptions options, Engines engines) {
    if (place.equals(PIPE)) {
      return FileSource.of(System.in, options);
    }
    Path path = path(place);
    if (!Files.exists(path)) {
      Matcher url = URL.matcher(place);
      if (url.matches()) {
        return ofUrl(place, url, options, engines);
      }
      throw new BadArgumentException(
          "there is no data at " + path.toAbsolutePath() + ": give " + KINDS);
    }
    if (Files.isDirectory(path)) {
      return HaloDbSource.isDirectory(path)
          ? new HaloDbSource(path, options.columns())
          : DirectorySource.list(path, options.columns(), options.recurse());
    }
    return options.format() == null && SqlSource.isFile(path)
        ? SqlSource.open(place, options.columns(), engines)
        : FileSource.of(path, options);
  }

  private static EntrySource ofUrl(
      String place, Matcher url, SourceOptions options, Engines engines) {
    String scheme = url.group(1);
    if (scheme.equals("jdbc")) {
      return SqlSource.open(place, options.columns(), engines);
    }
    if (scheme.matches("https?|s3|ftp")) {
      throw new BadArgumentException(
          place + " is not on this machine: download it first, for example with curl -LO");
    }
    String file = url.group(2);
    return scheme.equals("sqlite") && Files.isRegularFile(path(file))
        ? SqlSource.open(file, options.columns(), engines)
        : new StoreSource(place, options.columns(), engines);
  }

  private static Path path(String place) {
    try {
      return Path.of(place);
    } catch (InvalidPathException e) {
      throw new BadArgumentException("'" + place + "' is not a path: " + e.getReason(), e);
    }
  }
}
