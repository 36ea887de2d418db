package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** An open database with its column families and everything native that must live as long. */
final class RocksDbDatabase implements AutoCloseable {
  /**
   * How often a read-only open is tried: beside a writer, a file that was just listed may be
   * replaced by a flush or compaction before it is opened.
   */
  private static final int READ_ONLY_ATTEMPTS = 20;

  /** Begins the names of folders; those that a killed process left are removed at the next open. */
  private static final String FOLDER = "unfinished-";

  /** A call that may meet a file which the writer has just removed. */
  private interface Reading<R> {
    R run() throws RocksDBException, IOException;
  }

  final RocksDB db;
  final Mode mode;
  final Map<String, RocksDbTable> tables = new ConcurrentHashMap<>();

  /** Shared while handles of several tables are used at once; exclusive to free one. */
  final ReentrantReadWriteLock families = new ReentrantReadWriteLock();

  final WriteOptions writes;
  final StoreConfig config;
  final Map<String, String> unreadable = new TreeMap<>();
  private final @Nullable Cache cache;
  final RocksJavaEngine engine;

  /** For RocksDB files that must not be in the store's directory; removed at the close. */
  private final @Nullable Path aside;

  /** {@code null} where nothing is written. */
  @Nullable Watch watch;

  private RocksDbDatabase(
      RocksDB db,
      Mode mode,
      StoreConfig config,
      @Nullable Cache cache,
      RocksJavaEngine engine,
      @Nullable Path aside) {
    this.db = db;
    this.mode = mode;
    this.writes = writes(config.durability());
    this.config = config;
    this.cache = cache;
    this.engine = engine;
    this.aside = aside;
  }

  /** Whether the directory holds a database. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve("CURRENT"));
  }

  /** Opens the database with all of its column families; creates it if it is not there. */
  static RocksDbDatabase open(StoreConfig config, RocksJavaEngine engine)
      throws RocksDBException, IOException {
    if (config.readOnly()) {
      return besideAWriter(() -> openOnce(config, engine));
    }
    RocksDbDatabase opened = openOnce(config, engine);
    try {
      removeFolders(config.directory()); // no other process has it open
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Makes a folder for files that become something else, on the disk of the database. */
  Path makeFolder() throws IOException {
    return Files.createTempDirectory(config.directory(), FOLDER);
  }

  /**
   * Whether its file system has hard links; some of FUSE, and those of other systems, have none.
   */
  static boolean hasLinks(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "link", null);
    try {
      Files.delete(Files.createLink(folder.resolve("link"), file));
      return true;
    } catch (UnsupportedOperationException | FileSystemException e) {
      return false;
    } finally {
      Files.delete(file);
    }
  }

  private static void removeFolders(Path directory) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(directory, FOLDER + "*")) {
      for (Path folder : folders) {
        FileTrees.remove(folder);
      }
    }
  }

  private static <R> R besideAWriter(Reading<R> reading) throws RocksDBException, IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return reading.run();
      } catch (RocksDBException e) {
        if (!RocksDbFailures.isPassing(e) || attempt == READ_ONLY_ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(5_000_000L * attempt);
      }
    }
  }

  private static RocksDbDatabase openOnce(StoreConfig config, RocksJavaEngine engine)
      throws RocksDBException, IOException {
    Options options = config.options();
    Mode mode = Mode.of(config, engine.isCurrent());
    boolean secondary = config.readOnly() && RocksDbOptions.isSecondary(options);
    Adoption adoption = config.adopt() ? new Adoption(config.directory()) : null;
    Path aside =
        secondary || config.adopt() ? Files.createTempDirectory("kv-stadium-secondary") : null;
    List<ColumnFamilyOptions> temporary = new ArrayList<>();
    Cache cache =
        options.has(RocksDbOptions.CACHE_SIZE)
            ? new LRUCache(options.size(RocksDbOptions.CACHE_SIZE))
            : null;
    Map<String, String> unreadable = new TreeMap<>();
    try (DBOptions database = RocksDbOptions.database(config)) {
      database.setCreateIfMissing(!config.readOnly());
      if (aside != null) {
        database.setDbLogDir(aside.toString()); // or RocksDB starts a LOG file beside the store's
      }
      if (adoption != null) {
        adoption.set(database);
      }
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      for (String name : names(config.directory())) {
        String why = adoption == null ? null : adoption.unreadable.get(name);
        if (why != null) {
          refuseNeeded(config, engine, name, why);
          unreadable.put(name, why);
          continue;
        }
        ColumnFamilyOptions family =
            RocksDbOptions.family(
                config.tableOptions(name), mode, cache, engine, config.directory());
        temporary.add(family);
        descriptors.add(new ColumnFamilyDescriptor(bytes(name), family));
      }
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      RocksDB db =
          secondary && aside != null
              ? RocksDB.openAsSecondary(
                  database, config.directory().toString(), aside.toString(), descriptors, handles)
              : open(config, mode, database, descriptors, handles);
      var opened = new RocksDbDatabase(db, mode, config, cache, engine, aside);
      opened.unreadable.putAll(unreadable);
      for (int i = 0; i < handles.size(); i++) {
        String name = new String(descriptors.get(i).getName(), StandardCharsets.UTF_8);
        opened.add(name, handles.get(i));
      }
      if (!config.readOnly()) {
        opened.watch = new Watch(opened);
      }
      return opened;
    } catch (RocksDBException | IOException | RuntimeException e) {
      if (cache != null) {
        cache.close();
      }
      removeAside(aside);
      throw e;
    } finally {
      temporary.forEach(ColumnFamilyOptions::close);
    }
  }

  /**
   * RocksDB can open some column families without the others only read-only, and never without the
   * default one.
   */
  private static void refuseNeeded(
      StoreConfig config, RocksJavaEngine engine, String family, String why) {
    if (family.equals(Store.DEFAULT_TABLE)) {
      throw new UnsupportedException(
          ("%s:%s: column family %s cannot be opened, and RocksDB opens no database"
                  + " without this one: %s")
              .formatted(engine.info().name(), config.location(), family, why));
    }
  }

  private static RocksDB open(
      StoreConfig config,
      Mode mode,
      DBOptions database,
      List<ColumnFamilyDescriptor> descriptors,
      List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    String path = config.directory().toString();
    if (config.readOnly()) {
      return RocksDB.openReadOnly(database, path, descriptors, handles);
    }
    return switch (mode) {
      case NONE -> RocksDB.open(database, path, descriptors, handles);
      case OPTIMISTIC -> OptimisticTransactionDB.open(database, path, descriptors, handles);
      case PESSIMISTIC -> {
        try (TransactionDBOptions locks = new TransactionDBOptions()) {
          if (config.options().has(RocksDbOptions.LOCK_TIMEOUT)) {
            locks.setDefaultLockTimeout(
                config.options().duration(RocksDbOptions.LOCK_TIMEOUT).toMillis());
          }
          yield TransactionDB.open(database, locks, path, descriptors, handles);
        }
      }
    };
  }

  private static List<String> names(Path directory) throws RocksDBException {
    if (!exists(directory)) {
      return List.of(Store.DEFAULT_TABLE);
    }
    try (org.rocksdb.Options none = new org.rocksdb.Options()) {
      List<byte[]> names = RocksDB.listColumnFamilies(none, directory.toString());
      if (names.isEmpty()) { // not even the default one, which cannot be dropped
        throw new RocksDBException(
            "the MANIFEST lists no column family",
            new Status(Status.Code.Corruption, Status.SubCode.None, "MANIFEST"));
      }
      return names.stream().map(name -> new String(name, StandardCharsets.UTF_8)).toList();
    }
  }

  private static WriteOptions writes(Durability durability) {
    return switch (durability) {
      case NONE -> new WriteOptions().setDisableWAL(true);
      case POWER -> new WriteOptions().setSync(true);
      case PROCESS, CONSISTENT, ENGINE_DEFAULT -> new WriteOptions();
    };
  }

  /** Makes a column family. */
  RocksDbTable create(String name, Options options) throws RocksDBException {
    try (ColumnFamilyOptions family =
        RocksDbOptions.family(options, mode, cache, engine, config.directory())) {
      return add(name, db.createColumnFamily(new ColumnFamilyDescriptor(bytes(name), family)));
    }
  }

  /** Returns the options of a table; the caller must close them. */
  ColumnFamilyOptions family(RocksDbTable table) {
    return RocksDbOptions.family(
        config.tableOptions(table.name()), mode, cache, engine, config.directory());
  }

  private RocksDbTable add(String name, ColumnFamilyHandle handle) {
    RocksDbTable table =
        new RocksDbTable(
            name,
            handle,
            handle.getID(),
            RocksDbOptions.needs(config.tableOptions(name), config.directory()));
    tables.put(name, table);
    return table;
  }

  /** Removes a column family and frees its handle. */
  void drop(RocksDbTable table) throws RocksDBException {
    db.dropColumnFamily(table.family());
    families.writeLock().lock();
    try {
      tables.remove(table.name());
      table.family().close();
    } finally {
      families.writeLock().unlock();
    }
  }

  /** See {@link RocksDbStats#memory}. */
  Map<String, Long> memory() throws RocksDBException {
    return RocksDbStats.memory(this, cache);
  }

  /** Makes everything written so far durable, whether it is in the log or only in memory. */
  void sync() throws RocksDBException {
    if (writes.disableWAL()) {
      flush();
    } else {
      db.flushWal(true);
    }
  }

  private void flush() throws RocksDBException {
    families.readLock().lock();
    try (FlushOptions options = new FlushOptions()) {
      db.flush(options, tables.values().stream().map(RocksDbTable::family).toList());
    } finally {
      families.readLock().unlock();
    }
  }

  /** Frees everything, even if the last flush fails, and reports that failure. */
  void closeAndReport() throws RocksDBException, IOException {
    try {
      if (!config.readOnly() && writes.disableWAL()) {
        flush();
      }
    } finally {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    if (watch != null) {
      watch.close();
    }
    tables.values().forEach(table -> table.family().close());
    db.close();
    writes.close();
    if (cache != null) {
      cache.close();
    }
    removeAside(aside);
  }

  private static void removeAside(@Nullable Path aside) throws IOException {
    if (aside != null) {
      FileTrees.remove(aside);
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
