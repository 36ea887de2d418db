package io.kvstadium.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * All entries of a store in one file: whether keys ascend; for each table a 1, its name, and its
 * entries as two lengths, key and value, up to a length of -1; then a 0. The checksum is kept by
 * what stores the file.
 */
final class BackupEntries {
  static final String FILE = "entries";

  private static final int BUFFER = 1 << 18;
  private static final int END = -1;
  private static final int ATTEMPTS = 100;
  private static final int RESTARTS = 5;

  private BackupEntries() {}

  /** Writes what a snapshot has; returns how many entries there were. */
  static long write(Store store, Path file, Pace pace) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return writeSnapshot(store, file, pace);
      } catch (ConflictException e) {
        if (i == RESTARTS) {
          throw e; // a compaction makes snapshots useless, on some engines
        }
      }
    }
  }

  private static long writeSnapshot(Store store, Path file, Pace pace) throws IOException {
    List<String> tables = store.tables();
    Snapshot snapshot = store.snapshot();
    for (int i = 1; !store.tables().equals(tables); i++) { // both must be of the same moment
      snapshot.close();
      if (i == ATTEMPTS) {
        throw new StadiumException(
            store.url() + ": tables keep being created or dropped: try the backup again");
      }
      tables = store.tables();
      snapshot = store.snapshot();
    }
    try (Snapshot taken = snapshot;
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
      out.writeBoolean(store.capabilities().contains(Capability.ORDERED_SCAN));
      long count = 0;
      for (String table : tables) {
        out.writeBoolean(true);
        out.writeUTF(table);
        count += write(taken.on(store.table(table)), out, pace);
        out.writeInt(END);
      }
      out.writeBoolean(false);
      return count;
    }
  }

  private static long write(TableReader table, DataOutputStream out, Pace pace) throws IOException {
    long count = 0;
    try (Cursor cursor = table.scan(Range.all())) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        byte[] value = cursor.value();
        out.writeInt(key.length);
        out.writeInt(value.length);
        out.write(key);
        out.write(value);
        pace.passed((long) key.length + value.length);
        count++;
      }
    }
    return count;
  }

  /** Loads what was written into an empty store; returns how many entries there were. */
  static long load(Path file, Store store) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(BackupFiles.in(file), BUFFER))) {
      boolean sorted = in.readBoolean();
      long count = 0;
      while (in.readBoolean()) {
        count += store.table(in.readUTF()).load(new Loading(in), sorted);
      }
      return count;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The entries of one table. */
  private static final class Loading implements Iterator<Entry> {
    private final DataInputStream in;
    private @Nullable Entry next;
    private boolean ended;

    Loading(DataInputStream in) {
      this.in = in;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !ended) {
        try {
          next = read();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        ended = next == null;
      }
      return next != null;
    }

    private @Nullable Entry read() throws IOException {
      int keyLength = in.readInt();
      if (keyLength == END) {
        return null;
      }
      byte[] key = new byte[keyLength];
      byte[] value = new byte[in.readInt()];
      in.readFully(key);
      in.readFully(value);
      return new Entry(key, value);
    }

    @Override
    public Entry next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      Entry entry = next;
      next = null;
      return entry;
    }
  }
}
