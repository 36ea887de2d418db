package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Scans all entries through the answer to one request, while the server sends it. */
final class RocksServerCursor implements EngineCursor {
  private static final int BYTES_AT_ONCE = 64 << 10;

  private final Http http;
  private final Address address;
  private final OwnThread thread;
  private final Queue<Pair> read = new ArrayDeque<>();
  private boolean begun;
  private @Nullable Answer answer;
  private @Nullable Pair present;

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Pair(String text, byte[] value) {}

  /**
   * @param thread reads the answer, since an interrupt would end that
   */
  RocksServerCursor(Http http, Address address, OwnThread thread) {
    this.http = http;
    this.address = address;
    this.thread = thread;
  }

  @Override
  public boolean next() throws IOException {
    do {
      if (read.isEmpty()) {
        thread.run(this::fill);
      }
      present = read.poll();
    } while (present != null && present.text.equals(RocksServerStore.MARK));
    return present != null;
  }

  private void fill() throws IOException {
    if (!begun) {
      begun = true;
      answer = new Answer(http.stream("/tail"));
    }
    int bytes = 0;
    while (answer != null && bytes < BYTES_AT_ONCE) {
      String text = answer.line();
      byte[] value = text == null ? null : answer.value();
      if (text == null || value == null) {
        close();
        break;
      }
      read.add(new Pair(text, value));
      bytes += text.length() + value.length;
    }
  }

  private Pair present() {
    if (present == null) {
      throw new IllegalStateException("not at an entry");
    }
    return present;
  }

  @Override
  public byte[] key() {
    return address.decode(present().text);
  }

  @Override
  public byte[] value() {
    return present().value.clone();
  }

  @Override
  public void close() throws IOException {
    Answer open = answer;
    answer = null;
    if (open != null) {
      open.close();
    }
  }
}
