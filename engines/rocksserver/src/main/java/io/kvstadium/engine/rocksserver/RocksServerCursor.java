package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.EngineCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Scans all entries through the answer to one request, while the server sends it. */
final class RocksServerCursor implements EngineCursor {
  private static final byte[] RANGE = "/seeknext-range?".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AND = {'&'};
  private static final int BYTES_AT_ONCE = 64 << 10;

  private final ConnectionPool<HttpConnection, IOException> connections;
  private final KeyForm form;
  private final Queue<Pair> read = new ArrayDeque<>();
  private boolean begun;
  private @Nullable HttpConnection connection;
  private @Nullable HttpBody answer;
  private @Nullable Pair present;

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Pair(byte[] text, byte[] value) {}

  RocksServerCursor(ConnectionPool<HttpConnection, IOException> connections, KeyForm form) {
    this.connections = connections;
    this.form = form;
  }

  @Override
  public boolean next() throws IOException {
    do {
      if (read.isEmpty()) {
        connections.undisturbed(this::fill);
      }
      present = read.poll();
    } while (present != null && RocksServerStore.isMark(present.text));
    return present != null;
  }

  private boolean fill() throws IOException {
    if (!begun) {
      begun = true;
      HttpConnection taken = connections.take();
      connection = taken;
      answer = taken.get(RANGE, form.lowest(), AND, form.highest());
    }
    HttpBody body = answer;
    int bytes = 0;
    while (body != null && bytes < BYTES_AT_ONCE) {
      byte[] text = body.line();
      byte[] value = text == null ? null : body.value();
      if (text == null || value == null) {
        close();
        break;
      }
      read.add(new Pair(text, value));
      bytes += text.length + value.length;
    }
    return true;
  }

  private Pair present() {
    Pair pair = present;
    if (pair == null) {
      throw new IllegalStateException("not at an entry");
    }
    return pair;
  }

  @Override
  public byte[] key() {
    return form.decode(present().text).clone();
  }

  @Override
  public byte[] value() {
    return present().value.clone();
  }

  @Override
  public void close() {
    HttpConnection taken = connection;
    connection = null;
    answer = null;
    if (taken != null) {
      connections.give(taken); // closes it, if the answer was not read to its end
    }
  }
}
