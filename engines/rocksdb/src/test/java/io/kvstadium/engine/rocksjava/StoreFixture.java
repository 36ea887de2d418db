package io.kvstadium.engine.rocksjava;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.engine.rocksdb.RocksDbEngine;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;

/** Opens RocksDB stores directly through the SPI. */
abstract class StoreFixture {
  @TempDir Path directory;

  final RocksDbEngine engine = new RocksDbEngine();

  static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .satisfies(e ->
            assertThat(
                    e instanceof ConflictException // the adapter's own
                        ? Kind.CONFLICT
                        : RocksDbFailures.ofOpen(e).kind())
                .isEqualTo(kind));
  }

  RocksDbStore open(Map<String, String> given) throws Exception {
    return open(directory, given, Map.of(), false);
  }

  RocksDbStore open(
      Path path,
      Map<String, String> given,
      Map<String, Map<String, String>> tables,
      boolean readOnly)
      throws Exception {
    return (RocksDbStore) engine.open(config(path, given, tables, readOnly, Durability.CONSISTENT));
  }

  StoreConfig config(
      Path path,
      Map<String, String> given,
      Map<String, Map<String, String>> tables,
      boolean readOnly,
      Durability durability) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new StoreConfig(
        path.toString(),
        path,
        durability,
        readOnly,
        options(given),
        name -> {
          Map<String, String> all = new HashMap<>(given);
          all.putAll(tables.getOrDefault(name, Map.of()));
          return options(all);
        });
  }

  static Options options(Map<String, String> given) {
    return Options.of("rocksdb", new RocksDbEngine().info().options(), given);
  }

  String optionsFile() throws IOException {
    return optionsFile(directory);
  }

  static String optionsFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Path newest =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Path::compareTo)
              .orElseThrow();
      return Files.readString(newest);
    }
  }

  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  static List<String> keys(
      EngineReader<RocksDbTable> reader, RocksDbTable table, Range<byte[]> range) throws Exception {
    List<String> keys = new ArrayList<>();
    try (EngineCursor cursor = reader.cursor(table, range)) {
      while (cursor.next()) {
        keys.add(HexFormat.of().formatHex(cursor.key()));
      }
    }
    return keys;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
