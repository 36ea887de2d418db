package io.kvstadium.browse.place;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.HaloDbSource;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import io.kvstadium.transfer.source.SqlSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was found at a path or URL, told by its first bytes and its files' names. */
public sealed interface Place {
  /** What it is, for people. */
  String description();

  /** A store, which an engine opens. */
  record OfStore(String url, String description) implements Place {}

  /** Entries in a file or files, which are read from the beginning to the end. */
  record OfEntries(EntrySource source, String description) implements Place {}

  /** A recording of an application's operations. */
  record OfRecording(Path file, String description) implements Place {}

  /**
   * Finds out what a path or URL names.
   *
   * @throws BadArgumentException if there is nothing, or nothing known: says what was looked for
   */
  static Place of(String given, Engines engines) {
    Path path = path(given);
    if (path == null || !Files.exists(path)) {
      if (given.matches("[a-z][a-z0-9_-]*:.*")) {
        return new OfStore(given, "a store of engine " + StoreUrl.parse(given).engine());
      }
      throw new BadArgumentException(
          "there is nothing at "
              + (path == null ? given : path.toAbsolutePath())
              + ": give the path of a store or a file, or a URL such as rocksdb:data/app");
    }
    try {
      return Files.isDirectory(path) ? ofDirectory(path, engines) : ofFile(path, engines);
    } catch (IOException e) {
      throw new BadArgumentException(path + " cannot be read (" + e + "): check its rights", e);
    }
  }

  private static @Nullable Path path(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static Place ofFile(Path file, Engines engines) throws IOException {
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(64);
    }
    Path folder = file.toAbsolutePath().getParent();
    boolean foreign = folder == null || !Files.exists(folder.resolve("stadium.lock"));
    if (startsAt(head, 0, "894b56545241430a")) {
      return new OfRecording(file, "a recording of an application's operations");
    } else if (!foreign && folder != null) {
      return ofDirectory(folder, engines); // a file inside of a store of ours
    } else if (startsAt(head, 0, "483a322c")) { // H:2,
      throw foreign(file, "a file of H2 or its MVStore", "export it with H2's own tools (SCRIPT)");
    } else if (startsAt(head, 0, "8f31119a") || startsAt(head, 0, "959cb349")) {
      return adopted("sparkey", file, "a Sparkey file", engines);
    } else if (startsAt(head, 0, "4a03")) {
      throw foreign(file, "a file of MapDB", "copy them with it");
    } else if (SqlSource.isFile(file)) {
      return adopted("sqlite", file, "an SQLite database", engines);
    } else if (startsAt(head, 16, "dec0efbe") || startsAt(head, 16, "beefc0de")) {
      Path place = file.endsWith("data.mdb") && folder != null ? folder : file;
      return adopted("lmdb", place, "an LMDB environment", engines);
    }
    EntrySource source = Sources.open(file.toString(), SourceOptions.DEFAULT, engines);
    return new OfEntries(source, "a file of entries, " + source.format());
  }

  private static Place ofDirectory(Path directory, Engines engines) throws IOException {
    if (Files.exists(directory.resolve("stadium.lock"))) {
      for (Engine engine : onDisk(engines)) {
        String name = engine.info().name();
        StoreUrl url = StoreUrl.of(name, directory.toString());
        for (StoreUrl each : List.of(url, url.with("durability", "none"))) { // some have no other
          if (exists(engine, engines, each)) {
            return new OfStore(each.toString(), "a store of KV Stadium, engine " + name);
          }
        }
      }
    }
    List<String> files = names(directory);
    if (files.contains("data.mdb")) {
      return adopted("lmdb", directory, "an LMDB environment", engines);
    } else if (files.contains("CURRENT")) {
      boolean options = files.stream().anyMatch(name -> name.startsWith("OPTIONS-"));
      return adopted(
          "rocksdb", directory, options ? "a RocksDB database" : "a LevelDB database", engines);
    } else if (HaloDbSource.isDirectory(directory)) {
      return new OfEntries(
          Sources.open(directory.toString(), SourceOptions.DEFAULT, engines), "a HaloDB");
    } else if (files.stream().anyMatch(name -> name.endsWith(".jdb"))) {
      return adopted("berkeleydb", directory, "a Berkeley DB JE environment", engines);
    } else if (files.stream().anyMatch(name -> name.endsWith(".xd"))) {
      return adopted("xodus", directory, "a Xodus environment", engines);
    } else if (files.stream().anyMatch(name -> name.endsWith(".spi"))) {
      return adopted("sparkey", directory, "Sparkey files", engines);
    }
    throw new BadArgumentException(
        directory
            + " holds nothing that is known: looked for stores of KV Stadium, LMDB (data.mdb), RocksDB"
            + " and LevelDB (CURRENT), HaloDB, Berkeley DB JE (.jdb), Xodus (.xd) and Sparkey (.spl,"
            + " .spi)"
            + inside(directory));
  }

  /** Directories in it that may be meant. */
  private static String inside(Path directory) throws IOException {
    List<String> known = new ArrayList<>();
    for (String name : names(directory)) {
      Path inner = directory.resolve(name);
      if (Files.isDirectory(inner)
          && Stream.of("stadium.lock", "data.mdb", "CURRENT")
              .anyMatch(file -> Files.exists(inner.resolve(file)))) {
        known.add(inner.toString());
      } else if (SqlSource.isFile(inner)) {
        known.add(inner.toString());
      }
    }
    return known.isEmpty()
        ? ": give the directory that the application's store is in"
        : "; but there is " + String.join(", ", known);
  }

  private static BadArgumentException foreign(Path place, String kind, String advice) {
    return new BadArgumentException(
        place
            + " is "
            + kind
            + " that another program wrote. Its maps hold Java objects of types that only that program"
            + " knows, and which are not deserialized here, since that can run code: "
            + advice);
  }

  private static Place adopted(String engine, Path place, String what, Engines engines) {
    if (!engines.names().contains(engine)) {
      throw new BadArgumentException(
          place + " is " + what + ", and there is no engine " + engine + " here: add it");
    }
    return new OfStore(
        StoreUrl.of(engine, place.toString()).with("adopt", "true").toString(),
        what + " of another program");
  }

  private static List<Engine> onDisk(Engines engines) {
    return engines.all().stream()
        .filter(engine -> engine.info().onDisk())
        .sorted((a, b) ->
            Boolean.compare(a.info().name().equals("speedb"), b.info().name().equals("speedb")))
        .toList();
  }

  private static boolean exists(Engine engine, Engines engines, StoreUrl url) {
    try {
      StoreConfig config = engines.config(url.toString());
      return config.path() != null && engine.exists(config);
    } catch (Exception e) {
      return false; // it is not this engine's; the next one is asked
    }
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static boolean startsAt(byte[] head, int at, String hex) {
    byte[] expected = HexFormat.of().parseHex(hex);
    return head.length >= at + expected.length
        && Arrays.equals(head, at, at + expected.length, expected, 0, expected.length);
  }
}
