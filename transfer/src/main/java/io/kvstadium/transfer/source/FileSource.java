package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.CsvReader;
import io.kvstadium.transfer.format.DecodedInput;
import io.kvstadium.transfer.format.DumpFormat;
import io.kvstadium.transfer.format.DumpReader;
import io.kvstadium.transfer.format.EntryReader;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.format.JsonLinesReader;
import io.kvstadium.transfer.format.MdbDumpReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A file or a stream in one of the formats, compressed or not. */
final class FileSource implements EntrySource {
  /** How many bytes tell the format. */
  private static final int HEAD = 4096;

  private final String name;
  private final @Nullable Path path;

  /** What was opened to tell the format, and can only be read once. */
  private @Nullable InputStream opened;

  private final Format format;
  private final SourceOptions options;

  private FileSource(
      String name,
      @Nullable Path path,
      @Nullable InputStream opened,
      Format format,
      SourceOptions options) {
    this.name = name;
    this.path = path;
    this.opened = opened;
    this.format = format;
    this.options = options;
    Columns columns = options.columns();
    boolean own = format == Format.CSV || format == Format.JSON_LINES;
    if (columns.key() != null && !own) {
      throw new BadArgumentException(
          "a key's column (--key) is for csv and jsonl, and "
              + format.word()
              + " has its own keys");
    }
    if (columns.key() == null && columns.value() != null) {
      throw new BadArgumentException("a value's column without the key's: name that, too (--key)");
    }
  }

  static FileSource of(InputStream in, SourceOptions options) {
    try {
      BufferedInputStream plain = DecodedInput.uncompressed(in);
      return new FileSource("", null, plain, detected("standard input", plain, options), options);
    } catch (IOException e) {
      throw failed("", e);
    }
  }

  static FileSource of(Path path, SourceOptions options) {
    String name = path.toString();
    Format format = options.format() == null ? Format.ofFile(name) : options.format();
    if (Files.isRegularFile(path)) {
      if (format == null) {
        try (InputStream in = DecodedInput.uncompressed(Files.newInputStream(path))) {
          format = detected(name, in, options);
        } catch (IOException e) {
          throw failed(name, e);
        }
      }
      return new FileSource(name, path, null, format, options);
    }
    try {
      BufferedInputStream plain = DecodedInput.uncompressed(Files.newInputStream(path));
      return new FileSource(
          name, null, plain, format == null ? detected(name, plain, options) : format, options);
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  /** The format, by the first bytes. */
  private static Format detected(String name, InputStream in, SourceOptions options)
      throws IOException {
    if (options.format() != null) {
      return options.format();
    }
    in.mark(HEAD);
    byte[] head = in.readNBytes(HEAD);
    in.reset();
    if (head.length == 0) {
      throw new BadArgumentException(name + " is empty: give data with at least one entry");
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    String first = text.replaceFirst("^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)", "");
    String line = first.replace("\0", "").stripLeading().lines().findFirst().orElse("");
    if (DumpFormat.isDump(text)) {
      return Format.DUMP;
    } else if (text.startsWith("REDIS")) {
      return Format.RDB;
    } else if (line.matches("VERSION=\\d+|format=\\w+")) {
      return Format.MDB_DUMP;
    } else if (text.startsWith("PAR1")) {
      throw new BadArgumentException(
          name
              + " is a Parquet file, which is not read: convert it, for example with duckdb -c"
              + " \"copy (from 'x.parquet') to 'x.csv'\"");
    } else if (text.startsWith("SQLite format 3\0")) {
      throw new BadArgumentException(
          name + " is an SQLite database, which is not read from a pipe: give the file");
    } else if (line.startsWith("{") || line.startsWith("[")) {
      return Format.JSON_LINES;
    } else if (line.matches("\\P{Cntrl}+[,;\t].*")) {
      return Format.CSV;
    }
    throw new BadArgumentException(
        "the format of '"
            + name
            + "' cannot be told from its name, which should end in one of "
            + Format.endings()
            + ", nor from its first line: give another name, or say what it is (--format of import)");
  }

  @Override
  public String name() {
    return name.isEmpty() ? "standard input" : name;
  }

  @Override
  public String format() {
    return format.word();
  }

  @Override
  public boolean isRepeatable() {
    return path != null;
  }

  @Override
  public boolean hasUniqueKeys() {
    return format == Format.DUMP || format == Format.MDB_DUMP;
  }

  @Override
  public SourceReader read() {
    try {
      FileChannel file = path == null ? null : FileChannel.open(path);
      InputStream in = file == null ? once() : Channels.newInputStream(file);
      try {
        return new Entries(reader(DecodedInput.uncompressed(in)), in, file);
      } catch (IOException | RuntimeException e) {
        close(in);
        throw e;
      }
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  @Override
  public InputStream content() {
    try {
      return DecodedInput.uncompressed(path == null ? once() : Files.newInputStream(path));
    } catch (IOException e) {
      throw failed(name, e);
    }
  }

  private InputStream once() {
    InputStream in = opened;
    if (in == null) {
      throw new IllegalStateException(name() + " has been read");
    }
    opened = null;
    return in;
  }

  private EntryReader reader(InputStream in) throws IOException {
    return switch (format) {
      case DUMP -> new DumpReader(in);
      case JSON_LINES -> new JsonLinesReader(name, in, options.columns());
      case CSV -> new CsvReader(name, in, options.columns());
      case MDB_DUMP -> new MdbDumpReader(in);
      case RDB ->
          throw new BadArgumentException(
              name()
                  + " is a file of Redis, which has no plain entries: stadium import brings it into"
                  + " the form that stadium serve serves");
    };
  }

  /** Streams that others gave stay open. */
  private void close(InputStream in) throws IOException {
    if (!name.isEmpty()) {
      in.close();
    }
  }

  private static StadiumException failed(String name, IOException e) {
    String damage = DecodedInput.damage(e);
    return damage == null
        ? new StoreIoException(
            (name.isEmpty() ? "the input" : name) + " cannot be read: " + reason(e), e)
        : new CorruptException((name.isEmpty() ? "" : name + ": ") + damage, e);
  }

  private static String reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException
        ? "you may not read it"
        : String.valueOf(e.getMessage());
  }

  private final class Entries implements SourceReader {
    private final EntryReader reader;
    private final InputStream in;
    private final @Nullable FileChannel file;

    /** The tables that had entries so far. */
    private final Set<String> met = new TreeSet<>();

    Entries(EntryReader reader, InputStream in, @Nullable FileChannel file) {
      this.reader = reader;
      this.in = in;
      this.file = file;
    }

    @Override
    public @Nullable Item next() {
      String table = options.columns().table();
      try {
        for (Item item = reader.next(); item != null; item = reader.next()) {
          met.add(item.table());
          if (table == null || table.equals(item.table())) {
            return item;
          }
        }
      } catch (IOException e) {
        throw failed(name, e);
      }
      met.addAll(reader.tables());
      if (table != null && !met.contains(table)) {
        throw new BadArgumentException(
            name()
                + " has no table '"
                + table
                + "'"
                + Nearest.hint(table, met)
                + "; it has "
                + (met.isEmpty() ? "none" : String.join(", ", met))
                + ": a table gets another name by --table NAME=NEW");
      }
      return null;
    }

    @Override
    public Set<String> tables() {
      return reader.tables();
    }

    @Override
    public Map<String, String> describe() {
      return reader.describe();
    }

    @Override
    public double share() {
      try {
        return file == null ? -1 : (double) file.position() / Math.max(1, file.size());
      } catch (IOException e) {
        return -1; // the next read says why
      }
    }

    @Override
    public void close() {
      try {
        FileSource.this.close(in);
      } catch (IOException e) {
        throw failed(name, e);
      }
    }
  }
}
