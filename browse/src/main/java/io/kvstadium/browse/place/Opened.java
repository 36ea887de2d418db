package io.kvstadium.browse.place;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.transfer.Copy;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.source.EntrySource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that is open, with keys in order: what has no order, or can only be read from the
 * beginning to the end, was copied into a store of its own, which is removed by {@link #close}.
 *
 * @param given what the user named
 * @param description what it is
 * @param copy where it was copied to, {@code null} if the store is the original
 */
public record Opened(String given, String description, Store store, @Nullable Copied copy)
    implements AutoCloseable {
  /** Engines for copies, the best first. */
  private static final List<String> FOR_COPIES =
      List.of("rocksdb", "lmdb", "mvstore", "sqlite", "memory");

  /** A copy: its URL and the directory around it. */
  public record Copied(Engines engines, String url, Path folder) {}

  /**
   * Opens what is there; read-only, unless it is to be written to.
   *
   * @param progress is told what takes a while
   */
  public static Opened open(
      String given, Engines engines, boolean write, Consumer<String> progress) {
    Place place = Place.of(given, engines);
    if (write && !(place instanceof Place.OfStore)) {
      throw new BadArgumentException(given + " is no store, and --write changes only those");
    }
    return switch (place) {
      case Place.OfStore(String url, String description) -> {
        EngineInfo info = engines.engine(StoreUrl.parse(url).engine()).info();
        if (write && !info.onDisk()) {
          throw new BadArgumentException(
              given
                  + " is on a server, where others may write meanwhile: --write changes only what is"
                  + " open here alone");
        }
        boolean readOnly = !write && info.capabilities().contains(Capability.READ_ONLY);
        OpenOptions options = OpenOptions.DEFAULT.createIfMissing(false).readOnly(readOnly);
        Store store =
            engines.open(
                info.careful(StoreUrl.parse(url).with("incomplete", "true")).toString(),
                write ? options.require(Capability.WRITE) : options);
        if (store.capabilities().contains(Capability.ORDERED_SCAN)) {
          progress.accept(given + ": " + description);
          yield new Opened(given, description, store, null);
        }
        if (write) {
          store.close();
          throw new BadArgumentException(
              given
                  + " has no order, so that a copy is shown, which is not written to: leave out"
                  + " --write");
        }
        try (store) {
          yield copied(given, description, engines, progress, to -> Copy.run(store, to));
        }
      }
      case Place.OfEntries(var source, String description) ->
          copied(given, description, engines, progress, to -> read(given, source, to));
      case Place.OfRecording(Path file, String description) ->
          copied(given, description, engines, progress, to -> load(file, to));
    };
  }

  private static void read(String given, EntrySource source, Store to) {
    try {
      Import.run(source, to, ImportOptions.DEFAULT);
    } catch (BadArgumentException | CorruptException e) {
      throw String.valueOf(e.getMessage()).contains(" --")
          ? new BadArgumentException(
              "%s; these are options of import: run 'stadium import %s rocksdb:DIR' with them, and browse what it makes"
                  .formatted(e.getMessage(), given),
              e)
          : e;
    }
  }

  private static Opened copied(
      String given,
      String description,
      Engines engines,
      Consumer<String> progress,
      Consumer<Store> fill) {
    progress.accept(given + ": " + description + ", read into a temporary store in key order");
    String engine =
        FOR_COPIES.stream()
            .filter(engines.names()::contains)
            .filter(name -> engines.engine(name).unavailable() == null)
            .findFirst()
            .orElseThrow(() ->
                new BadArgumentException(
                    given
                        + " is read into a temporary store, for which there is no engine: add"
                        + " one of "
                        + String.join(", ", FOR_COPIES)));
    try {
      Path folder = Files.createTempDirectory("kv-stadium-browse");
      String url = engine + ":" + folder.resolve("copy");
      Copied copy = new Copied(engines, url, folder);
      try {
        Store store = engines.open(url + "?durability=none", OpenOptions.DEFAULT);
        try {
          fill.accept(store);
        } catch (RuntimeException e) {
          store.close();
          throw e;
        }
        return new Opened(given, description, store, copy);
      } catch (RuntimeException e) {
        remove(copy);
        throw e;
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot make a temporary directory: " + e, e);
    }
  }

  /** Operations in their order: the key is their number. */
  private static void load(Path file, Store into) {
    JsonMapper mapper = JsonMapper.builder().build();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        TraceReader reader = new TraceReader(in)) {
      Iterator<Entry<Long, byte[]>> entries =
          new Iterator<>() {
            private @Nullable Operation next = read(reader);
            private long number;

            @Override
            public boolean hasNext() {
              return next != null;
            }

            @Override
            public Entry<Long, byte[]> next() {
              Operation operation = next;
              if (operation == null) {
                throw new java.util.NoSuchElementException();
              }
              next = read(reader);
              try {
                return new Entry<>(++number, mapper.writeValueAsBytes(fields(operation)));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      into.table("operations", Codec.LONG, Codec.BYTES).bulkLoad(entries, true);
    } catch (IOException e) {
      throw new StoreIoException(file + " cannot be read: " + e, e);
    }
  }

  private static @Nullable Operation read(TraceReader reader) {
    try {
      return reader.next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> fields(Operation operation) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("operation", operation.kind());
    fields.put("table", operation.table());
    key(fields, "key", operation.key());
    key(fields, "to", operation.to());
    fields.put("outcome", operation.outcome());
    fields.put("thread", operation.thread());
    fields.put("microseconds", operation.time() / 1000);
    fields.put("took_nanoseconds", operation.duration());
    fields.put("bytes", operation.length());
    fields.put("entries", operation.count());
    return fields;
  }

  private static void key(Map<String, Object> fields, String name, byte @Nullable [] key) {
    if (key != null) {
      String text = new String(key, java.nio.charset.StandardCharsets.UTF_8);
      boolean printable = text.chars().noneMatch(c -> c < ' ' || c == 0xfffd || c == 127);
      fields.put(name, printable ? text : "0x" + HexFormat.of().formatHex(key));
    }
  }

  @Override
  public void close() {
    store.close();
    if (copy != null) {
      remove(copy);
    }
  }

  private static void remove(Copied copy) {
    try {
      copy.engines.destroy(copy.url);
      Files.deleteIfExists(copy.folder);
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + copy.folder + ": " + e, e);
    }
  }
}
