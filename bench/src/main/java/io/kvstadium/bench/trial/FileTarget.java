package io.kvstadium.bench.trial;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** No engine: bytes in a plain file, written in large pieces and synced once at the end. */
final class FileTarget implements Target {
  private static final String FILE = "entries";
  private static final int BUFFER = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

  FileTarget(Path directory) {
    this.file = directory.resolve(FILE);
    try {
      Files.createDirectories(directory);
      this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Removes what such a target left. */
  static void destroy(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(FILE));
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + directory + ": " + e, e);
    }
  }

  @Override
  public void around(boolean writes, Runnable blocks) {
    blocks.run();
    try {
      drain();
      channel.force(true);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void load(Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    while (entries.hasNext()) {
      Entry<byte[], byte[]> entry = entries.next();
      put(entry.key(), entry.value());
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    append(key);
    append(value);
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        throw new UnsupportedException("a plain file has no deletes");
      }
      put(keys.get(i), value);
    }
  }

  private void append(byte[] bytes) {
    try {
      for (int done = 0; done < bytes.length; ) {
        if (!buffer.hasRemaining()) {
          drain();
        }
        int part = Math.min(buffer.remaining(), bytes.length - done);
        buffer.put(bytes, done, part);
        done += part;
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void drain() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    throw new UnsupportedException("a plain file has no reads by key");
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    throw new UnsupportedException("a plain file has no reads by key");
  }

  @Override
  public void delete(byte[] key) {
    throw new UnsupportedException("a plain file has no deletes");
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    throw new UnsupportedException("a plain file has no scans");
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private StoreIoException failed(IOException e) {
    return new StoreIoException("cannot write to " + file + ": " + e, e);
  }
}
