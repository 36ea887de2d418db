package io.kvstadium.bench.player;

import io.kvstadium.bench.data.DatasetWorkset;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.store.Entry;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file that holds all values of a trial, for programs that cannot make them: each value is a
 * stretch of its bytes. Used by one thread.
 */
public abstract sealed class ValueFile {
  private final Path file;

  private ValueFile(Path file) {
    this.file = file;
  }

  /**
   * The file of a workset: the copy of the user's own data, or one of generated values.
   *
   * @param generated where the latter is
   */
  public static ValueFile of(Workset workset, Path generated) throws IOException {
    return workset instanceof DatasetWorkset own
        ? new OwnValues(own)
        : new GeneratedValues(workset, generated);
  }

  public Path file() {
    return file;
  }

  /**
   * Called when a load begins: {@link #loaded} is then called for each of its entries, in order.
   */
  public void beginLoad() {}

  /** Where the value of the next entry of a load begins. */
  public abstract long loaded(byte[] key, int length) throws IOException;

  /** The value of an entry of a load. */
  public abstract byte[] bytes(Entry<byte[], byte[]> entry) throws IOException;

  /** Where a value begins. */
  public abstract long at(long i, byte[] key, int generation, int length) throws IOException;

  /** The true bytes, in the copy of the data. */
  private static final class OwnValues extends ValueFile {
    private final DatasetWorkset workset;
    private final long[] places;
    private long next;

    OwnValues(DatasetWorkset workset) {
      super(workset.dataset().file());
      this.workset = workset;
      this.places = new long[Math.toIntExact(workset.size())];
      int found = 0;
      try (EntryIterator entries = workset.entries()) {
        for (long ordinal = 0; found < places.length && entries.hasNext(); ordinal++) {
          Entry<byte[], byte[]> entry = entries.next();
          long place = loaded(entry.key(), entry.value().length);
          if (workset.ordinal(found) == ordinal) { // they are in the order of the data
            places[found++] = place;
          }
        }
      }
    }

    @Override
    public void beginLoad() {
      next = 0;
    }

    @Override
    public long loaded(byte[] key, int length) {
      long place = next + 2 * Integer.BYTES + key.length;
      next = place + length;
      return place;
    }

    @Override
    public byte[] bytes(Entry<byte[], byte[]> entry) {
      return entry.value();
    }

    @Override
    public long at(long i, byte[] key, int generation, int length) {
      return places[workset.origin(i, generation)];
    }
  }

  /**
   * Values of the same lengths and the same kind of content, but not the same bytes, which would
   * make the file as large as the store: key and generation decide which stretch of some megabytes
   * a value is.
   */
  private static final class GeneratedValues extends ValueFile {
    private static final int STARTS = 4 << 20;

    private final Workset workset;
    private long size;
    private long made;
    private byte[] content = {}; // as far as it was read

    GeneratedValues(Workset workset, Path file) throws IOException {
      super(file);
      this.workset = workset;
      fill(STARTS);
    }

    private void fill(long least) throws IOException {
      if (size >= least) {
        return;
      }
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(
                  file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
        while (size < least) {
          byte[] value = workset.value(made % workset.size(), made / workset.size());
          byte[] some = value.length == 0 ? new byte[1] : value;
          out.write(some);
          size += some.length;
          made++;
        }
      }
    }

    @Override
    public long loaded(byte[] key, int length) throws IOException {
      return at(0, key, 0, length);
    }

    @Override
    public byte[] bytes(Entry<byte[], byte[]> entry) throws IOException {
      int length = entry.value().length;
      int at = Math.toIntExact(loaded(entry.key(), length));
      if (content.length < at + length) {
        content = Files.readAllBytes(file());
      }
      return Arrays.copyOfRange(content, at, at + length);
    }

    @Override
    public long at(long i, byte[] key, int generation, int length) throws IOException {
      fill((long) STARTS + length);
      return Mixing.reduce(Mixing.mix(Mixing.hash(key) + generation * Mixing.GAMMA), STARTS);
    }
  }
}
