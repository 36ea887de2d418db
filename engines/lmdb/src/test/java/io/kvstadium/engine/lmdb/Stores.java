package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Opens stores straight through the SPI. */
final class Stores {
  private static final LmdbEngine ENGINE = new LmdbEngine();
  static final Options NO_OPTIONS = Options.of("lmdb", List.of(), Map.of());

  private Stores() {}

  /** At level none, with options in the order name, value, name, value … */
  static LmdbStore open(Path directory, String... options) {
    return (LmdbStore) ENGINE.open(config(directory, Durability.PROCESS, false, options));
  }

  static LmdbStore openReadOnly(Path directory) {
    return (LmdbStore) ENGINE.open(config(directory, Durability.PROCESS, true));
  }

  static StoreConfig config(
      Path directory, Durability durability, boolean readOnly, String... options) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    return new StoreConfig(
        directory.toString(),
        directory,
        durability,
        readOnly,
        Options.of("lmdb", ENGINE.info().options(), given),
        _ -> NO_OPTIONS);
  }

  static LmdbTable table(LmdbStore store, String name) {
    LmdbTable table = store.openTable(name, NO_OPTIONS, true);
    if (table == null) {
      throw new AssertionError("not made: " + name);
    }
    return table;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
