package io.kvstadium.engine.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the tests of this package share. */
final class Stores {
  private Stores() {}

  static StoreConfig config(
      Path directory, Durability durability, boolean readOnly, String... options) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String option : options) {
      given.put(option.split("=")[0], option.split("=")[1]);
    }
    Options checked = Options.of("sqlite", new SqliteEngine().info().options(), given);
    return new StoreConfig(
        directory.toString(), directory, durability, readOnly, checked, _ -> checked);
  }

  static SqliteStore open(Path directory, Durability durability, String... options)
      throws Exception {
    return open(config(directory, durability, false, options));
  }

  static SqliteStore open(StoreConfig config) throws Exception {
    Files.createDirectories(config.directory()); // as the library does
    return (SqliteStore) new SqliteEngine().open(config);
  }

  static SqliteTable table(SqliteStore store, String name) throws Exception {
    Options options = Options.of("sqlite", new SqliteEngine().info().options(), Map.of());
    SqliteTable table = store.openTable(name, options, true);
    if (table == null) {
      throw new AssertionError("not made: " + name);
    }
    return table;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  static String get(EngineReader<SqliteTable> reader, SqliteTable table, String key)
      throws Exception {
    byte[] value = reader.get(table, bytes(key));
    return value == null ? "nothing" : text(value);
  }

  /** Returns the rest of a cursor as {@code key=value}. */
  static List<String> rest(EngineCursor cursor) throws Exception {
    List<String> entries = new ArrayList<>();
    while (cursor.next()) {
      entries.add(text(cursor.key()) + "=" + text(cursor.value()));
    }
    return entries;
  }
}
