package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.SeekCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Scans up through the answer to one request while the server sends it, and down by one request for
 * each entry.
 */
final class RocksServerCursor extends SeekCursor<IOException> {
  private static final byte[] RANGE = ascii("/seeknext-range?");
  private static final byte[] FLOOR = ascii("/seekprev-range?");
  private static final byte[] AND = {'&'};
  private static final int BYTES_AT_ONCE = 64 << 10;

  private final ConnectionPool<HttpConnection, IOException> connections;
  private final KeyForm form;
  private final byte[] highest;
  private final Deque<Pair> read = new ArrayDeque<>();
  private @Nullable HttpConnection connection;
  private @Nullable HttpBody answer;
  private @Nullable Pair present;

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Pair(byte[] text, byte[] value) {}

  RocksServerCursor(
      ConnectionPool<HttpConnection, IOException> connections, KeyForm form, Range<byte[]> range) {
    super(range);
    this.connections = connections;
    this.form = form;
    byte[] to = range.to();
    this.highest = to == null ? form.highest() : bound(to);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] bound(byte[] key) {
    return key.length == 0 ? form.lowest() : form.encode(key);
  }

  @Override
  protected boolean first() throws IOException {
    return begin(form.lowest());
  }

  @Override
  protected boolean ceiling(byte[] key) throws IOException {
    return begin(bound(key));
  }

  private boolean begin(byte[] from) throws IOException {
    end();
    connections.undisturbed(() -> {
      HttpConnection taken = connections.take();
      connection = taken;
      answer = taken.get(RANGE, from, AND, highest);
      return true;
    });
    return following();
  }

  @Override
  protected boolean following() throws IOException {
    do {
      if (read.isEmpty()) {
        connections.undisturbed(this::fill);
      }
      present = read.poll();
    } while (present != null && RocksServerStore.isMark(present.text));
    return present != null;
  }

  private boolean fill() throws IOException {
    HttpBody body = answer;
    int bytes = 0;
    while (body != null && bytes < BYTES_AT_ONCE) {
      byte[] text = body.line();
      byte[] value = text == null ? null : body.value();
      if (text == null || value == null) {
        release();
        break;
      }
      read.add(new Pair(text, value));
      bytes += text.length + value.length;
    }
    return true;
  }

  @Override
  protected boolean last() throws IOException {
    return floorOf(form.highest());
  }

  @Override
  protected boolean floor(byte[] key) throws IOException {
    return floorOf(bound(key));
  }

  @Override
  protected boolean previous() throws IOException {
    byte[] below = form.below(present().text);
    return below != null && floorOf(below);
  }

  private boolean floorOf(byte[] from) throws IOException {
    byte @Nullable [] text = from;
    do {
      moveTo(text);
      text = present == null ? null : form.below(present.text);
    } while (text != null && present != null && RocksServerStore.isMark(present.text));
    return present != null && !RocksServerStore.isMark(present.text);
  }

  private void moveTo(byte[] text) throws IOException {
    connections.call(http -> {
      HttpBody body = http.get(FLOOR, text, AND, text);
      byte[] key = body.line();
      byte[] value = key == null ? null : body.value();
      body.finish();
      // the server returns its first key if there is none
      present =
          key == null || value == null || Arrays.compareUnsigned(key, text) > 0
              ? null
              : new Pair(key, value);
      return true;
    });
  }

  private Pair present() {
    Pair pair = present;
    if (pair == null) {
      throw new IllegalStateException("not at an entry");
    }
    return pair;
  }

  @Override
  protected byte[] readKey() {
    return form.decode(present().text).clone();
  }

  @Override
  public byte[] value() {
    return present().value.clone();
  }

  private void end() {
    read.clear();
    release();
  }

  private void release() {
    HttpConnection taken = connection;
    connection = null;
    answer = null;
    if (taken != null) {
      connections.give(taken); // closes it, if the answer was not read to its end
    }
  }

  @Override
  public void close() {
    end();
  }
}
