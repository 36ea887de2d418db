package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.NamedTable;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All data of a server. */
final class RocksServerStore implements EngineStore<NamedTable> {
  /** The key that marks a server's data as a store's; not a hexadecimal number. */
  private static final byte[] MARK = ascii("kv-stadium:store");

  private static final byte[] GET = ascii("/get?");
  private static final byte[] MGET = ascii("/mget");
  private static final byte[] STATS = ascii("/stats");
  private static final byte[] FLOOR = ascii("/seekprev-range?");
  private static final byte[] AND = {'&'};
  private static final byte[] NOTHING = {};
  private static final int MOST_REMOVED = 5_000;

  private final ConnectionPool<HttpConnection, IOException> connections;
  private final KeyForm form;
  private final int requestLine;

  private RocksServerStore(
      ConnectionPool<HttpConnection, IOException> connections, KeyForm form, int requestLine) {
    this.connections = connections;
    this.form = form;
    this.requestLine = requestLine;
  }

  static RocksServerStore open(StoreConfig config, Address address) throws IOException {
    int most = (int) config.options().integer(RocksServerOptions.CONNECTIONS);
    ConnectionPool<HttpConnection, IOException> connections =
        new ConnectionPool<>("stadium-rocksserver", most, address);
    RocksServerStore store =
        new RocksServerStore(connections, address.keys(), address.requestLine());
    try {
      if (!store.isStore(address) && !config.readOnly()) {
        store.post("/set", pair(MARK, NOTHING));
      }
      return store;
    } catch (IOException | RuntimeException | Error e) {
      connections.close();
      throw e;
    }
  }

  /**
   * Whether a server's data are a store; false if it has none.
   *
   * @throws BadArgumentException if they are not a store's
   */
  static boolean isStore(StoreConfig config, Address address) throws IOException {
    try (ConnectionPool<HttpConnection, IOException> once =
        new ConnectionPool<>("stadium-rocksserver", 1, address)) {
      return new RocksServerStore(once, address.keys(), address.requestLine()).isStore(address);
    }
  }

  private boolean isStore(Address address) throws IOException {
    if (address.shared() || value(MARK) != null) {
      return true;
    }
    boolean empty =
        connections.call(http -> {
          byte[] last = KeyForm.RAW.highest();
          HttpBody body = http.get(FLOOR, last, AND, last);
          boolean none = body.line() == null;
          body.finish();
          return none;
        });
    if (!empty) {
      throw new BadArgumentException(
          "rocksserver: "
              + address
              + " holds keys that are not a store's: use another server, or say shared=true to use"
              + " it as it is");
    }
    return false;
  }

  /** Removes all keys of the store and then its mark. */
  void empty() throws IOException {
    RocksServerCursor cursor = new RocksServerCursor(connections, form);
    try (cursor) {
      List<byte[]> keys = new ArrayList<>();
      boolean more = cursor.next();
      while (more) {
        keys.add(form.encode(cursor.key()));
        more = cursor.next();
        if (!more || keys.size() == MOST_REMOVED) {
          post("/mdel", lines(keys));
          keys.clear();
        }
      }
    }
    post("/del", MARK);
  }

  static boolean isMark(byte[] text) {
    return Arrays.equals(text, MARK);
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

  private byte[] text(byte[] key) {
    byte[] text = form.encode(key);
    if (isMark(text)) {
      throw new BadArgumentException(
          "rocksserver: the key 'kv-stadium:store' marks the store: use another one");
    }
    return text;
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) throws IOException {
    return value(text(key));
  }

  private byte @Nullable [] value(byte[] text) throws IOException {
    byte[] @Nullable [] value = new byte[1] @Nullable [];
    connections.call(http -> {
      HttpBody body = http.get(GET, text);
      value[0] = body.value();
      body.finish();
      return true;
    });
    return value[0];
  }

  @Override
  public byte[] @Nullable [] multiGet(NamedTable table, byte[][] keys) throws IOException {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    int from = 0;
    while (from < keys.length) {
      ByteArrayOutputStream target = new ByteArrayOutputStream();
      target.writeBytes(MGET);
      int to = from;
      do {
        target.write(to == from ? '?' : '&');
        target.writeBytes(text(keys[to]));
        to++;
      } while (to < keys.length && target.size() + 2 * keys[to].length < requestLine);
      read(target.toByteArray(), values, from, to);
      from = to;
    }
    return values;
  }

  private void read(byte[] target, byte[] @Nullable [] values, int from, int to)
      throws IOException {
    connections.call(http -> {
      HttpBody body = http.get(target);
      for (int i = from; i < to; i++) {
        if (body.line() == null) {
          throw new RefusedException(
              "the server answered " + (i - from) + " of " + (to - from) + " keys");
        }
        values[i] = body.value();
      }
      body.finish();
      return true;
    });
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws IOException {
    post("/set", pair(text(key), value));
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws IOException {
    post("/del", text(key));
  }

  /** The last write of each key wins. */
  @Override
  public void write(List<Write<NamedTable>> writes) throws IOException {
    Map<ByteBuffer, Write<NamedTable>> last = new LinkedHashMap<>();
    for (Write<NamedTable> write : writes) {
      last.put(ByteBuffer.wrap(text(write.key())), write);
    }
    List<byte[]> removed = new ArrayList<>();
    ByteArrayOutputStream removals = new ByteArrayOutputStream();
    ByteArrayOutputStream puts = new ByteArrayOutputStream();
    for (Write<NamedTable> write : last.values()) {
      byte[] text = form.encode(write.key());
      byte[] value = write.value();
      if (value == null) {
        removed.add(text);
        removals.writeBytes(pair(NOTHING, text));
        removals.write('\n');
      } else {
        puts.writeBytes(pair(text, value));
        puts.write('\n');
      }
    }
    if (puts.size() == 0) {
      post("/mdel", lines(removed));
    } else if (removed.isEmpty()) {
      post("/mset", puts.toByteArray());
    } else {
      removals.writeBytes(puts.toByteArray());
      post("/mdelset", removals.toByteArray());
    }
  }

  private void post(String route, byte[] body) throws IOException {
    connections.call(http -> {
      http.post(route, body).checkOk();
      return true;
    });
  }

  /** A pair without the line feed after it. */
  private static byte[] pair(byte[] key, byte[] value) {
    byte[] head = ascii("\n" + value.length + "\n");
    byte[] pair = Arrays.copyOf(key, key.length + head.length + value.length);
    System.arraycopy(head, 0, pair, key.length, head.length);
    System.arraycopy(value, 0, pair, key.length + head.length, value.length);
    return pair;
  }

  private static byte[] lines(List<byte[]> keys) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      if (lines.size() > 0) {
        lines.write('\n');
      }
      lines.writeBytes(key);
    }
    return lines.toByteArray();
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return new RocksServerCursor(connections, form);
  }

  // ---- the whole

  @Override
  public void sync() {
    throw new UnsupportedException(
        "engine rocksserver has no sync(): the protocol cannot ask for it");
  }

  @Override
  public Map<String, String> stats() throws IOException {
    return Map.of(
        "stats",
        connections.call(
            http -> new String(http.get(STATS).readAllBytes(), StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    connections.close();
  }
}
