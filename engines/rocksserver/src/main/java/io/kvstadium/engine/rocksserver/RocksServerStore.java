package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.NamedTable;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All data of a server. */
final class RocksServerStore implements EngineStore<NamedTable> {
  /** The key that marks a server's data as a store's; not a hexadecimal number. */
  static final String MARK = "kv-stadium:store";

  private static final byte[] NOTHING = {};
  private static final int MOST_REMOVED = 5_000;

  /** Bytes of the longest request line that servers take. */
  private static final int REQUEST_LINE = 32 << 10;

  private final Http http;
  private final Address address;
  private final OwnThread scans = OwnThread.asMany("stadium-rocksserver");

  private RocksServerStore(Address address) throws IOException {
    this.http = new Http(address);
    this.address = address;
  }

  static RocksServerStore open(StoreConfig config, Address address) throws IOException {
    RocksServerStore store = new RocksServerStore(address);
    try {
      if (!store.isMarked() && !config.readOnly()) {
        store.http.post("/set", pair(MARK, NOTHING));
      }
      return store;
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /**
   * Whether a server's data are a store; false if it has none.
   *
   * @throws BadArgumentException if they are not a store's
   */
  static boolean isStore(Address address) throws IOException {
    RocksServerStore store = new RocksServerStore(address);
    try {
      return store.isMarked();
    } finally {
      store.close();
    }
  }

  private boolean isMarked() throws IOException {
    if (address.shared() || value(MARK) != null) {
      return true;
    }
    try (RocksServerCursor cursor = all()) {
      if (cursor.next()) {
        throw new BadArgumentException(
            "rocksserver: "
                + address
                + " holds keys that are not a store's: use another server, or say shared=true to"
                + " use it as it is");
      }
    }
    return false;
  }

  /** Removes all keys of the store and then its mark. */
  void empty() throws IOException {
    try (RocksServerCursor cursor = all()) {
      List<String> keys = new ArrayList<>();
      boolean more = cursor.next();
      while (more) {
        keys.add(address.encode(cursor.key()));
        more = cursor.next();
        if (!more || keys.size() == MOST_REMOVED) {
          http.post("/mdel", ascii(String.join("\n", keys)));
          keys.clear();
        }
      }
    }
    http.post("/del", ascii(MARK));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  // ---- what it is

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NamedTable openTable(String name, Options options, boolean create) {
    return new NamedTable(name);
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return RocksServerEngine.meaning(thrown);
  }

  // ---- entries

  private String text(byte[] key) {
    String text = address.encode(key);
    if (text.equals(MARK)) {
      throw new BadArgumentException(
          "rocksserver: the key 'kv-stadium:store' marks the store: use another one");
    }
    return text;
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) throws IOException {
    return value(text(key));
  }

  private byte @Nullable [] value(String text) throws IOException {
    return http.get("/get?" + text).value();
  }

  @Override
  public byte[] @Nullable [] multiGet(NamedTable table, byte[][] keys) throws IOException {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    int from = 0;
    while (from < keys.length) {
      StringBuilder target = new StringBuilder("/mget?").append(text(keys[from]));
      int to = from + 1;
      while (to < keys.length && target.length() + 2 * keys[to].length < REQUEST_LINE) {
        target.append('&').append(text(keys[to++]));
      }
      Answer answer = http.get(target.toString());
      for (int i = from; i < to; i++) {
        if (answer.line() == null) {
          throw new RefusedException(
              "the server answered " + (i - from) + " of " + (to - from) + " keys");
        }
        values[i] = answer.value();
      }
      from = to;
    }
    return values;
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws IOException {
    http.post("/set", pair(text(key), value));
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws IOException {
    http.post("/del", ascii(text(key)));
  }

  /** The last write of each key wins. */
  @Override
  public void write(List<Write<NamedTable>> writes) throws IOException {
    Map<String, Write<NamedTable>> last = new LinkedHashMap<>();
    for (Write<NamedTable> write : writes) {
      last.put(text(write.key()), write);
    }
    List<String> removed = new ArrayList<>();
    ByteArrayOutputStream removals = new ByteArrayOutputStream();
    ByteArrayOutputStream puts = new ByteArrayOutputStream();
    last.forEach((text, write) -> {
      byte[] value = write.value();
      if (value == null) {
        removed.add(text);
        removals.writeBytes(pair("", ascii(text)));
        removals.write('\n');
      } else {
        puts.writeBytes(pair(text, value));
        puts.write('\n');
      }
    });
    if (puts.size() == 0) {
      http.post("/mdel", ascii(String.join("\n", removed)));
    } else if (removed.isEmpty()) {
      http.post("/mset", puts.toByteArray());
    } else {
      removals.writeBytes(puts.toByteArray());
      http.post("/mdelset", removals.toByteArray());
    }
  }

  /** A pair without the line feed after it. */
  private static byte[] pair(String key, byte[] value) {
    ByteArrayOutputStream pair = new ByteArrayOutputStream();
    pair.writeBytes(ascii(key + "\n" + value.length + "\n"));
    pair.writeBytes(value);
    return pair.toByteArray();
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return all();
  }

  private RocksServerCursor all() {
    return new RocksServerCursor(http, address, scans);
  }

  // ---- the whole

  @Override
  public void sync() {
    throw new UnsupportedException(
        "engine rocksserver has no sync(): the protocol cannot ask for it");
  }

  @Override
  public Map<String, String> stats() throws IOException {
    return Map.of("stats", http.get("/stats").text());
  }

  @Override
  public void close() {
    http.close();
    scans.close();
  }
}
