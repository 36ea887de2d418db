package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Loss;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.NativeCode;
import io.kvstadium.store.spi.PathNames;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDBException;

/** An engine on RocksDB's Java interface: RocksDB itself, or a fork of it. */
public abstract class RocksJavaEngine implements Engine {
  /** The limit that RocksDB's makers state; longer keys work but slow it down. */
  private static final int MAX_KEY = 8 << 20;

  /** All that each of these engines can do; an open store has at most one transaction mode. */
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.ADOPT,
          Capability.CONCURRENT_READ_ONLY,
          Capability.CHECKSUMS,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  private static final List<String> NOTES =
      List.of(
          "A store opens with the options of this open, not with those it was made with: give the"
              + " same ones each time.",
          "Deleted and overwritten entries take space, and slow scans over them down, until"
              + " compaction reaches them. A memtable of mostly removals is flushed once nobody"
              + " writes. With rocksdb a scan that meets many of them has them compacted; with"
              + " speedb, whose Java interface lacks these settings, call compact after large"
              + " removals.",
          "On a disk below 4 GB, memtables take a 64th of it, and levels and logs are as small in"
              + " proportion, unless write_buffer_size is given. Compactions wait while the disk"
              + " could not take their output; compact is refused then.",
          "A read-only open sees the state at its open and needs max_open_files=-1 (the default)"
              + " beside a writer, which removes files that it has compacted.",
          "At level none nothing is logged: a kill loses up to all memtables; sync and close flush"
              + " them.",
          "Transactions protect the keys that they read by key or write, as RocksDB does; it has no"
              + " protection of ranges. An optimistic one scans its snapshot; a pessimistic one scans"
              + " what is committed at that moment, which others may change before its commit. Read"
              + " by key what a decision depends on.",
          "For optimistic transactions, the default, RocksDB makes a million locks at each open,"
              + " and its Java interface cannot change that: a program that opens a store for a"
              + " few calls and needs no transactions opens it five times as fast with"
              + " transactions=none.",
          "Optimistic transactions that span a flush of a memtable are tried again; see"
              + " max_write_buffer_size_to_maintain.",
          "A bulk load of sorted entries writes table files and adds them in one step, synced at"
              + " every level: it needs the space in the store's directory, optimistic transactions"
              + " meanwhile lose, and it waits for the end of pessimistic ones.",
          "RocksDB's writer of table files drops what it has written from the operating system's cache, and its Java"
              + " interface cannot prevent that, so the first reads of loaded entries come from the"
              + " disk.",
          "With enable_blob_files=true loads go in batches; if only a table has it, loaded values"
              + " go into its table files first, and compaction moves them.",
          "getAll looks up missing keys a second time, one by one: RocksDB's Java interface returns"
              + " nothing both for them and for keys that it could not read. Its form with a"
              + " status for each key took a quarter more CPU time than the second lookup.",
          "A read by key in a transaction is RocksDB's getForUpdate, since keys that were only"
              + " read are protected too, which its plain get does not do. With"
              + " transactions=pessimistic it locks the key exclusively: under shared locks, any"
              + " two that read a key and then write it would deadlock. Reads that need no such"
              + " protection are faster from a snapshot.",
          "With transactions=pessimistic clearing a table deletes entry by entry, since RocksDB has"
              + " no range deletion there, and deadlock detection is on.",
          "A backup flushes the memtables and links the table files into a folder of the store's"
              + " directory, from which those that the last backup lacks are copied. At level none"
              + " and read-only it reads all entries instead, and stores all of them each time.",
          "After a full disk, free space and reopen the store: writes are refused until then."
              + " RocksDB's own recovery is refused, since it may leave a store that does not"
              + " open; where RocksDB has a separate class loader, its own threads cannot be told"
              + " so, and a put may wait for a quarter of a second, until their work is ended."
              + " What its Java interface then prints about a BackgroundErrorReason or"
              + " org/rocksdb/Status has no further meaning.",
          "Adopted (adopt=true): column families are tables of their names. Keys in reverse order"
              + " (ReverseBytewiseComparator) have no ranges; other comparators are refused."
              + " Values of the operators uint64add and stringappend are merged; with another"
              + " program's own operator, reads fail at values that are not merged yet. What a"
              + " program puts around its values stays there, for example the time of TtlDB.",
          "A process can use one of rocksdb and speedb: their native libraries clash, so the second"
              + " is refused.",
          "The native library is unpacked once into the user's cache directory; with"
              + " ROCKSDB_SHAREDLIB_DIR set, into that directory at each start.");

  private final EngineInfo info;
  private final NativeLibrary library;

  /**
   * @param info as made by {@link #info}
   * @param library loaded when first needed
   */
  protected RocksJavaEngine(EngineInfo info, NativeLibrary library) {
    this.info = info;
    this.library = library;
  }

  /** The platforms for which there is a native library, for a message. */
  protected abstract String platforms();

  /** Returns the default settings of table files. */
  protected BlockBasedTableConfig blocks() {
    return new BlockBasedTableConfig();
  }

  /** Options of tables that are not given and for which RocksDB's defaults do not do, as text. */
  protected Map<String, String> defaults() {
    return Map.of();
  }

  /**
   * Makes compaction begin with files that are full of removals, if the engine can: scans have to
   * step over them.
   *
   * @return these options, or others instead, which are then closed
   */
  protected ColumnFamilyOptions droppingRemovals(ColumnFamilyOptions family) {
    return family;
  }

  /** Whether a scan that meets many removals can have the memtable flushed. */
  protected boolean hasScanTrigger() {
    return true;
  }

  /** Whether scans in a transaction keep to their bounds among its own writes. */
  protected boolean boundsOwnWrites() {
    return true;
  }

  @Override
  public final EngineInfo info() {
    return info;
  }

  @Override
  public final @Nullable String unavailable() {
    if (library.clash() != null) {
      return null; // it can be used on this machine, in another process: an open reports that
    }
    try {
      library.load();
      return null;
    } catch (LinkageError | RuntimeException e) {
      String forbidden = NativeCode.forbidden();
      if (forbidden != null) {
        return forbidden;
      }
      return "the native library of %s cannot be loaded (%s); there is one for %s"
          .formatted(info.title(), e, platforms());
    }
  }

  @Override
  public final boolean exists(StoreConfig config) {
    return RocksDbDatabase.exists(config.directory());
  }

  @Override
  public final EngineStore<?> open(StoreConfig config) throws RocksDBException, IOException {
    return new RocksDbStore(openDatabase(config), capabilities(config));
  }

  /** Whether the native library can open a database as a secondary. */
  protected boolean opensSecondaries() {
    return true;
  }

  @Override
  public final void check(StoreConfig config) {
    PathNames.forModifiedUtf8(info.name(), config.directory());
    if (!RocksDbOptions.isSecondary(config.options())) {
      return;
    }
    if (!opensSecondaries()) {
      throw new UnsupportedException(
          ("%s:%s: engine %s offers no mode=secondary: leave it out and open with"
                  + " read_only=true, which shows the state of the open, or take rocksdb")
              .formatted(info.name(), config.location(), info.name()));
    }
    if (!config.readOnly()) {
      throw new BadArgumentException(
          "%s:%s: mode=secondary can only read: add read_only=true"
              .formatted(info.name(), config.location()));
    }
  }

  RocksDbDatabase openDatabase(StoreConfig config) throws RocksDBException, IOException {
    String other = library.clash();
    if (other != null) {
      throw new UnsupportedException(
          ("%s:%s: this process has used engine %s already, and its native library"
                  + " clashes with that of %s: use another process")
              .formatted(info.name(), config.location(), other, info.name()));
    }
    String unavailable = unavailable();
    if (unavailable != null) {
      throw new StadiumException(unavailable);
    }
    return RocksDbDatabase.open(config, this);
  }

  @Override
  public final @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return RocksDbFailures.ofOpen(thrown);
  }

  @Override
  public final Set<Capability> capabilities(StoreConfig config) {
    Mode mode = Mode.of(config);
    EnumSet<Capability> capabilities = EnumSet.copyOf(info.capabilities());
    if (mode != Mode.OPTIMISTIC) {
      capabilities.remove(Capability.OPTIMISTIC_TRANSACTION);
    }
    if (mode == Mode.PESSIMISTIC) {
      capabilities.remove(Capability.RANGE_DELETE); // would have to lock each key
    } else {
      capabilities.remove(Capability.PESSIMISTIC_TRANSACTION);
    }
    if (config.readOnly()) {
      capabilities.removeAll(
          EnumSet.of(Capability.BATCH, Capability.BULK_LOAD, Capability.COMPACT));
    }
    if (RocksDbOptions.isWithBlobFiles(config.options())) {
      capabilities.remove(Capability.BULK_LOAD); // would write values into table files
    }
    if (RocksDbOptions.isSecondary(config.options())) {
      // RocksDB's secondaries have neither
      capabilities.removeAll(EnumSet.of(Capability.SNAPSHOT, Capability.BACKUP));
    }
    return capabilities;
  }

  /**
   * Describes such an engine.
   *
   * @param verifiesLogs whether it has {@code track_and_verify_wals}
   * @param notes its own, put before those that apply to all of them
   */
  protected static EngineInfo info(
      String name,
      String title,
      String version,
      String licence,
      String description,
      String upstream,
      boolean verifiesLogs,
      List<String> notes) {
    EnumSet<Capability> capabilities = EnumSet.copyOf(CAPABILITIES);
    Evidence manual =
        Evidence.documented("https://github.com/facebook/rocksdb/wiki/WAL-Performance");
    DurabilityMapping unsynced = DurabilityMapping.process("WriteOptions.sync=false", manual);
    List<DurabilityMapping> levels =
        new ArrayList<>(
            List.of(
                DurabilityMapping.none("WriteOptions.disableWAL=true", Loss.TAIL, Loss.TAIL),
                unsynced,
                DurabilityMapping.power("WriteOptions.sync=true", manual),
                unsynced.byDefault()));
    if (verifiesLogs) {
      levels.add(
          DurabilityMapping.consistent(
              "WriteOptions.sync=false, track_and_verify_wals=true",
              Loss.TAIL,
              Evidence.documented(
                  "https://github.com/facebook/rocksdb/blob/main/include/rocksdb/options.h")));
    }
    return new EngineInfo(
        name,
        title,
        version,
        licence,
        description,
        upstream,
        true,
        capabilities,
        new Limits(MAX_KEY, Limits.MAX_ARRAY),
        DurabilityMapping.levels(levels.toArray(DurabilityMapping[]::new)),
        RocksDbOptions.ALL,
        Stream.concat(notes.stream(), NOTES.stream()).toList());
  }

  /** Returns the version under the engine's name in {@code version.properties} beside it. */
  protected static String version(Class<? extends RocksJavaEngine> engine, String name) {
    try (InputStream in = engine.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing beside " + engine);
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty(name, "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
