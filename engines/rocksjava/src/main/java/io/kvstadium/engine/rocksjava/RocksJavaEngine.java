package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.NativeCode;
import io.kvstadium.store.engine.PathNames;
import io.kvstadium.store.engine.StoreConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
      Declarations.notes(RocksJavaEngine.class.getResourceAsStream("notes.txt"));

  /**
   * The engine whose native library is loaded; a system property, since there is one per process,
   * regardless of class loaders. The libraries have symbols in common that the linker merges, so a
   * process with two of them crashes.
   */
  private static final String IN_PROCESS = "io.kvstadium.engine.rocksjava.library";

  private final EngineInfo info;

  /**
   * @param info as made by {@link #info}
   */
  protected RocksJavaEngine(EngineInfo info) {
    this.info = info;
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

  /**
   * Whether it is a current RocksDB. Forks of version 8 cannot flush a memtable for a scan that
   * meets many removals, open no secondaries, and their transactions ignore a scan's bounds among
   * their own writes, so they are offered without transactions.
   */
  boolean isCurrent() {
    return info.capabilities().contains(Capability.OPTIMISTIC_TRANSACTION);
  }

  @Override
  public final EngineInfo info() {
    return info;
  }

  @Override
  public final @Nullable String unavailable() {
    if (clash() != null) {
      return null; // it can be used on this machine, in another process: an open reports that
    }
    String failure = NativeLibrary.FAILURE;
    if (failure == null) {
      return null;
    }
    String forbidden = NativeCode.forbidden();
    return forbidden != null
        ? forbidden
        : "the native library of %s cannot be loaded (%s); there is one for %s"
            .formatted(info.title(), failure, platforms());
  }

  /** Returns the engine whose library rules this one out in this process, or {@code null}. */
  private @Nullable String clash() {
    Object other = System.getProperties().putIfAbsent(IN_PROCESS, info.name());
    return other == null || other.equals(info.name()) ? null : other.toString();
  }

  @Override
  public final boolean exists(StoreConfig config) {
    return RocksDbDatabase.exists(config.directory());
  }

  @Override
  public final EngineStore<?> open(StoreConfig config) throws RocksDBException, IOException {
    return new RocksDbStore(openDatabase(config));
  }

  @Override
  public final void check(StoreConfig config) {
    PathNames.forModifiedUtf8(info.name(), config.directory());
    String mode = config.options().given().getOrDefault(RocksDbOptions.TRANSACTIONS, "none");
    if (!isCurrent() && !mode.equals("none")) {
      throw new UnsupportedException(
          "%s:%s: engine %s offers no transactions: leave transactions=%s out, or take rocksdb"
              .formatted(info.name(), config.location(), info.name(), mode));
    }
    if (!RocksDbOptions.isSecondary(config.options())) {
      return;
    }
    if (!isCurrent()) {
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
    String other = clash();
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
    Mode mode = Mode.of(config, isCurrent());
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
   * @param current whether it is a current RocksDB, see {@link #isCurrent}
   * @param notes its own, put before those that apply to all of them
   */
  protected static EngineInfo info(
      String name,
      String title,
      String version,
      String licence,
      String description,
      String upstream,
      boolean current,
      List<String> notes) {
    EnumSet<Capability> capabilities = EnumSet.copyOf(CAPABILITIES);
    if (!current) {
      capabilities.removeAll(
          EnumSet.of(Capability.OPTIMISTIC_TRANSACTION, Capability.PESSIMISTIC_TRANSACTION));
    }
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
    if (current) {
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
}
