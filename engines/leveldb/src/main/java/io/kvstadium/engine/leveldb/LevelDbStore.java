package io.kvstadium.engine.leveldb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.NamedTable;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database of the library as a store with one table. */
final class LevelDbStore extends LevelDbReader implements EngineStore<NamedTable> {
  private static final int LEVELS = 7;

  private final Path directory;
  private final LevelDbOptions options;
  private final MemorySegment writes;
  private final @Nullable NewNames names; // if each write is synced

  private LevelDbStore(
      StoreConfig config, LevelDbOptions options, MemorySegment db, MemorySegment reads) {
    super(db, reads);
    this.directory = LevelDbEngine.files(config);
    this.options = options;
    this.writes = LevelDbOptions.NEW_WRITES.call();
    boolean synced = config.durability() == Durability.POWER;
    LevelDbOptions.SYNC.call(writes, synced);
    this.names = synced ? new NewNames(directory, Sync::force) : null;
  }

  static LevelDbStore open(StoreConfig config) throws IOException {
    Path directory = LevelDbEngine.files(config);
    Files.createDirectories(directory);
    LevelDbOptions options = new LevelDbOptions(config.options());
    Call call = Call.mine();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(directory.toAbsolutePath().toString());
      MemorySegment db = LevelDb.OPEN.call(options.handle, path, call.error);
      call.check("open");
      LevelDbStore store = new LevelDbStore(config, options, db, options.reads());
      store.forceNames(config.directory());
      return store;
    } catch (LevelDbException e) {
      options.close();
      throw e;
    }
  }

  /** The library syncs its files, but not all of their names. */
  private void forceNames(Path parent) throws IOException {
    try {
      Sync.force(directory);
      Sync.force(parent);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return LevelDbException.classify(thrown);
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NamedTable openTable(String name, Options tableOptions, boolean create) {
    return new NamedTable(name);
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws IOException {
    Call call = Call.mine();
    call.arguments.hold(
        key,
        value,
        (first, second) ->
            LevelDb.PUT.call(db, writes, first, key.length, second, value.length, call.error));
    written(call);
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws IOException {
    Call call = Call.mine();
    LevelDb.DELETE.call(db, writes, call.arguments.hold(key), key.length, call.error);
    written(call);
  }

  @Override
  public void write(List<Write<NamedTable>> batch) throws IOException {
    Call call = Call.mine();
    MemorySegment handle = LevelDb.NEW_BATCH.call();
    try {
      for (Write<NamedTable> write : batch) {
        add(handle, call, write.key(), write.value());
      }
      LevelDb.WRITE.call(db, writes, handle, call.error);
    } finally {
      LevelDb.END_BATCH.call(handle);
    }
    written(call);
  }

  private static void add(MemorySegment batch, Call call, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      LevelDb.BATCH_DELETE.call(batch, call.arguments.hold(key), key.length);
    } else {
      call.arguments.hold(
          key,
          value,
          (first, second) ->
              LevelDb.BATCH_PUT.call(batch, first, key.length, second, value.length));
    }
  }

  private void written(Call call) throws IOException {
    call.check("write");
    if (names != null) {
      names.force();
    }
  }

  /** Syncs the logs themselves: a synced write would leave out those before the present one. */
  @Override
  public void sync() throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(directory)) {
      logs = files.filter(file -> file.toString().endsWith(".log")).toList();
    }
    for (Path log : logs) {
      try {
        Sync.force(log);
      } catch (NoSuchFileException _) {
        // what it had is in a table, which the library synced before it removed the log
      }
    }
    Sync.force(directory);
  }

  @Override
  public EngineSnapshot<NamedTable> snapshot() {
    return LevelDbSnapshot.of(db, options.reads());
  }

  @Override
  public void compact(NamedTable table) {
    LevelDb.COMPACT.call(db, MemorySegment.NULL, 0, MemorySegment.NULL, 0);
  }

  @Override
  public Map<String, Long> memory() {
    return Map.of("memtables and block cache", number("approximate-memory-usage"));
  }

  @Override
  public Map<String, String> stats() {
    Map<String, String> stats = new LinkedHashMap<>();
    for (int level = 0; level < LEVELS; level++) {
      stats.put("files_at_level_" + level, Long.toString(number("num-files-at-level" + level)));
    }
    return stats;
  }

  private long number(String property) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = LevelDb.PROPERTY.call(db, arena.allocateFrom("leveldb." + property));
      long number = Long.parseLong(NativeFunctions.text(text));
      LevelDb.FREE.call(text);
      return number;
    }
  }

  @Override
  public void close() {
    LevelDb.CLOSE.call(db);
    LevelDbOptions.END_READS.call(reads);
    LevelDbOptions.END_WRITES.call(writes);
    options.close();
  }
}
