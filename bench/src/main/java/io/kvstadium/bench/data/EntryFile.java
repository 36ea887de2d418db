package io.kvstadium.bench.data;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.transfer.CopyProgress;
import io.kvstadium.transfer.CopyProgress.Step;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceReader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The user's own data in one file, which all trials read: so that they have the same entries
 * whatever becomes of the source, and need not parse anything. It holds the entries with their
 * lengths, then the description of the data, then the checksum of the entries and where they end.
 */
public final class EntryFile implements EntrySource {
  /** 64 MiB, several of which fit into a small heap. */
  public static final int MAX_VALUE_BYTES = 64 << 20;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int TOLD_EVERY = 1_000;
  private static final int END = -1;

  /** Checksum and the end of the entries. */
  private static final int TAIL = 2 * Long.BYTES;

  private final Path file;
  private final long checksum;
  private final Description description;

  /** What the source said. */
  private record Description(
      String source,
      String format,
      Map<String, String> facts,
      List<String> leftOut,
      List<String> skipped) {}

  private EntryFile(Path file, RandomAccessFile in) throws IOException {
    this.file = file;
    in.seek(in.length() - TAIL);
    this.checksum = in.readLong();
    long begin = in.readLong();
    byte[] text = new byte[Math.toIntExact(in.length() - TAIL - begin)];
    in.seek(begin);
    in.readFully(text);
    this.description = MAPPER.readValue(text, Description.class);
  }

  /**
   * Opens a file.
   *
   * @throws BadArgumentException if it is missing or incomplete
   */
  public static EntryFile open(Path file) {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      return new EntryFile(file, in);
    } catch (IOException | ArithmeticException | NegativeArraySizeException e) {
      throw damaged(file, e);
    }
  }

  /**
   * Writes all entries of a source, or none.
   *
   * @param progress is told now and then how far it is
   * @throws io.kvstadium.store.StadiumException as reading the source does
   */
  public static void copy(EntrySource source, Path file, Consumer<CopyProgress> progress) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    part.toFile().deleteOnExit(); // if the process ends meanwhile
    try {
      try {
        write(source, part, progress);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot write a copy of the data to "
              + file
              + " ("
              + e
              + "): make room there, or use --out with a directory elsewhere",
          e);
    }
  }

  private static void write(EntrySource source, Path part, Consumer<CopyProgress> progress)
      throws IOException {
    CRC32C checksum = new CRC32C();
    TrialEntries checks = new TrialEntries(source.name());
    try (SourceReader entries = source.read();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Files.newOutputStream(part)), checksum))) {
      long length = 0;
      long count = 0;
      for (Item entry = entries.next(); entry != null; entry = entries.next()) {
        checks.check(entry);
        out.writeInt(entry.key().length);
        out.write(entry.key());
        out.writeInt(entry.value().length);
        out.write(entry.value());
        length += 2L * Integer.BYTES + entry.key().length + entry.value().length;
        if (++count % TOLD_EVERY == 0) {
          double share = entries.share();
          long total = share > 0 ? Math.round(count / share) : -1;
          progress.accept(new CopyProgress(Step.COPY, entry.table(), count, length, total));
        }
      }
      out.writeInt(END);
      long sum = checksum.getValue();
      out.write(
          MAPPER.writeValueAsBytes(
              new Description(
                  source.name(),
                  source.format(),
                  entries.describe(),
                  entries.leftOut(),
                  entries.skipped())));
      out.writeLong(sum);
      out.writeLong(length + Integer.BYTES);
    }
  }

  public Path file() {
    return file;
  }

  @Override
  public String name() {
    return description.source;
  }

  @Override
  public String format() {
    return description.format;
  }

  @Override
  public SourceReader read() {
    try {
      return new Entries(Files.newInputStream(file));
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  /** All entries. Must be closed. */
  EntryIterator entries() {
    SourceReader reader = read();
    return new EntryIterator() {
      private @Nullable Item next = reader.next();

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Entry<byte[], byte[]> next() {
        Item now = next;
        if (now == null) {
          throw new NoSuchElementException();
        }
        next = reader.next();
        return new Entry<>(now.key(), now.value());
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  /** An entry by its place, or {@code null} if there is none. Reads everything before it. */
  @Nullable Entry<byte[], byte[]> entryAt(long ordinal) {
    try (EntryIterator entries = entries()) {
      for (long k = 0; entries.hasNext(); k++) {
        Entry<byte[], byte[]> entry = entries.next();
        if (k == ordinal) {
          return entry;
        }
      }
      return null;
    }
  }

  private static BadArgumentException damaged(Path file, Exception e) {
    return new BadArgumentException(
        "the copy of the data in " + file + " is not there or damaged (" + e + "): run anew", e);
  }

  private final class Entries implements SourceReader {
    private final CheckedInputStream checked;
    private final DataInputStream in;

    Entries(InputStream stream) {
      this.checked = new CheckedInputStream(new BufferedInputStream(stream, 1 << 16), new CRC32C());
      this.in = new DataInputStream(checked);
    }

    @Override
    public @Nullable Item next() {
      try {
        int keyLength = in.readInt();
        if (keyLength != END) {
          return new Item(Store.DEFAULT_TABLE, bytes(keyLength), bytes(in.readInt()));
        }
        if (checked.getChecksum().getValue() != checksum) {
          throw new IOException("its checksum differs");
        }
        return null;
      } catch (IOException e) {
        throw damaged(file, e);
      }
    }

    private byte[] bytes(int length) throws IOException {
      if (length < 0 || length > MAX_VALUE_BYTES) {
        throw new EOFException("a length of " + length);
      }
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException("it is cut off");
      }
      return bytes;
    }

    @Override
    public List<String> leftOut() {
      return description.leftOut;
    }

    @Override
    public List<String> skipped() {
      return description.skipped;
    }

    @Override
    public Map<String, String> describe() {
      return description.facts;
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw damaged(file, e);
      }
    }
  }
}
