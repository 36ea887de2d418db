package io.kvstadium.engine.memory;

import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.NamedTable;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes the memory engine persistent as simply as possible: each change is a record in a file. */
final class WriteLog implements AutoCloseable {
  /** What a record does. */
  enum Kind {
    WRITES,
    MAKE_TABLE,
    DROP_TABLE,
    CLEAR_TABLE
  }

  record Entry(Kind kind, List<Write<NamedTable>> writes) {}

  private final OutputStream file;

  WriteLog(Path path) throws IOException {
    file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Reads the log; a record that was cut off by the end of the process is dropped. */
  static void replay(Path path, Consumer<Entry> target) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    long good = 0;
    long size = Files.size(path);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
      while (size - good >= 4) {
        int length = in.readInt();
        if (size - good - 4 < length) {
          break;
        }
        target.accept(
            read(new DataInputStream(new java.io.ByteArrayInputStream(in.readNBytes(length)))));
        good += 4 + length;
      }
    }
    try (var log = new RandomAccessFile(path.toFile(), "rw")) {
      log.setLength(good);
    }
  }

  private static Entry read(DataInputStream in) throws IOException {
    Kind kind = Kind.values()[in.readByte()];
    List<Write<NamedTable>> writes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      NamedTable table = new NamedTable(in.readUTF());
      byte[] key = in.readNBytes(in.readInt());
      int length = in.readInt();
      writes.add(new Write<>(table, key, length < 0 ? null : in.readNBytes(length)));
    }
    return new Entry(kind, writes);
  }

  @SuppressWarnings("EnumOrdinal") // a log lives no longer than its test
  static byte[] record(Entry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(0);
      out.writeByte(entry.kind().ordinal());
      out.writeInt(entry.writes().size());
      for (Write<NamedTable> write : entry.writes()) {
        out.writeUTF(write.table().name());
        out.writeInt(write.key().length);
        out.write(write.key());
        byte[] value = write.value();
        out.writeInt(value == null ? -1 : value.length);
        if (value != null) {
          out.write(value);
        }
      }
    } catch (IOException e) {
      throw new StoreIoException("writing to memory failed", e);
    }
    byte[] record = bytes.toByteArray();
    java.nio.ByteBuffer.wrap(record).putInt(record.length - 4);
    return record;
  }

  /** One system call, so a kill finds it whole in the page cache or not there. */
  void append(byte[] record) {
    try {
      file.write(record);
    } catch (IOException e) {
      throw new StoreIoException("engine faulty: the log cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new StoreIoException("engine faulty: the log cannot be closed: " + e.getMessage(), e);
    }
  }
}
