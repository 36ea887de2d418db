package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreIoException;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * A copy of a dataset in a separate file: for data that may change while it is measured, or that is
 * slow to read. It holds the entries with their lengths, then the description of the data, then the
 * checksum of the entries and where they end.
 */
public final class EntryFile implements Dataset {
  private static final int END = -1;
  private static final int LONGEST_TEXT = 4000;

  /** Checksum and the end of the entries. */
  private static final int TAIL = 2 * Long.BYTES;

  private final Path file;
  private final DatasetOptions options;
  private final long checksum;
  private final Map<String, String> described = new LinkedHashMap<>();
  private final List<String> leftOut;
  private final List<String> skipped;

  private EntryFile(Path file, DatasetOptions options, RandomAccessFile in) throws IOException {
    this.file = file;
    this.options = options;
    in.seek(in.length() - TAIL);
    this.checksum = in.readLong();
    in.seek(in.readLong());
    List<String> words = texts(in);
    for (int k = 0; k < words.size(); k += 2) {
      described.put(words.get(k), words.get(k + 1));
    }
    this.leftOut = texts(in);
    this.skipped = texts(in);
  }

  /**
   * Opens a copy.
   *
   * @throws BadArgumentException if it is missing or incomplete
   */
  public static EntryFile open(Path file, DatasetOptions options) {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      return new EntryFile(file, options, in);
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  /**
   * Writes all entries of a dataset, or none.
   *
   * @throws BadArgumentException as {@link DatasetIndex#build} does
   */
  public static void copy(Dataset dataset, Path file) {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    part.toFile().deleteOnExit(); // if the process ends meanwhile
    try {
      try {
        write(dataset, part);
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

  private static void write(Dataset dataset, Path part) throws IOException {
    BadEntries bad = new BadEntries(dataset);
    CRC32C checksum = new CRC32C();
    long good = 0;
    try (EntryIterator entries = dataset.scan();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Files.newOutputStream(part)), checksum))) {
      long length = 0;
      while (entries.hasNext()) {
        try {
          Entry entry = entries.next();
          out.writeInt(entry.key().length);
          out.write(entry.key());
          out.writeInt(entry.value().length);
          out.write(entry.value());
          length += 2L * Integer.BYTES + entry.key().length + entry.value().length;
          good++;
        } catch (BadEntry e) {
          bad.add(e, good);
        }
      }
      bad.end(good);
      out.writeInt(END);
      long sum = checksum.getValue();
      List<String> words = new ArrayList<>();
      dataset.describe().forEach((name, text) -> words.addAll(List.of(name, text)));
      List<String> leftOut = new ArrayList<>(dataset.leftOut());
      if (bad.count() > 0) {
        leftOut.add(bad.words());
      }
      write(out, words);
      write(out, leftOut);
      write(out, bad.first());
      out.writeLong(sum);
      out.writeLong(length + Integer.BYTES);
    }
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      out.writeUTF(text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…");
    }
  }

  private static List<String> texts(RandomAccessFile in) throws IOException {
    int count = in.readInt();
    List<String> texts = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      texts.add(in.readUTF());
    }
    return texts;
  }

  @Override
  public String source() {
    return described.getOrDefault("source", file.toString());
  }

  @Override
  public String format() {
    return described.getOrDefault("format", "copy");
  }

  @Override
  public DatasetOptions options() {
    return options;
  }

  @Override
  public Map<String, String> describe() {
    return described;
  }

  @Override
  public List<String> leftOut() {
    return leftOut;
  }

  @Override
  public List<String> skipped() {
    return skipped;
  }

  @Override
  public EntryIterator scan() {
    try {
      return new Entries(Files.newInputStream(file));
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  private static BadArgumentException damaged(Path file, IOException e) {
    return new BadArgumentException(
        "the copy of the data in " + file + " is not there or damaged (" + e + "): run anew", e);
  }

  private final class Entries implements EntryIterator {
    private final CheckedInputStream checked;
    private final DataInputStream in;
    private int keyLength;
    private boolean looked;

    Entries(InputStream stream) {
      this.checked = new CheckedInputStream(new BufferedInputStream(stream, 1 << 16), new CRC32C());
      this.in = new DataInputStream(checked);
    }

    @Override
    public boolean hasNext() {
      if (!looked) {
        looked = true;
        try {
          keyLength = in.readInt();
          if (keyLength == END && checked.getChecksum().getValue() != checksum) {
            throw new IOException("its checksum differs");
          }
        } catch (IOException e) {
          throw damaged(file, e);
        }
      }
      return keyLength != END;
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      looked = false;
      try {
        return new Entry(bytes(keyLength), bytes(in.readInt()));
      } catch (IOException e) {
        throw damaged(file, e);
      }
    }

    private byte[] bytes(int length) throws IOException {
      if (length < 0 || length > options.maxValueBytes()) {
        throw new EOFException("a length of " + length);
      }
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException("it is cut off");
      }
      return bytes;
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
