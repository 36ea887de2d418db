package io.kvstadium.engine.rocksjava;

import io.kvstadium.engine.rocksjava.RocksDbOptions.Mode;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.NativeCode;
import io.kvstadium.store.engine.help.PathNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** An engine on RocksDB's Java interface: RocksDB itself, or a fork of it. */
public abstract class RocksJavaEngine implements Engine {
  /**
   * The engine whose native library is loaded; a system property, since there is one per process,
   * regardless of class loaders. The libraries have symbols in common that the linker merges, so a
   * process with two of them crashes.
   */
  private static final String IN_PROCESS = "io.kvstadium.engine.rocksjava.library";

  private final EngineInfo info;

  /**
   * @param resources opens {@code engine.txt} and {@code notes.txt} beside the engine's class; what
   *     holds for all of them follows those notes
   * @param artifact the name of the jar with the binding
   */
  protected RocksJavaEngine(Function<String, @Nullable InputStream> resources, String artifact) {
    this.info =
        Declarations.info(
            name ->
                switch (name) {
                  case "options.txt" -> RocksDbOptions.resource();
                  case "notes.txt" ->
                      new SequenceInputStream(
                          Objects.requireNonNull(resources.apply(name)),
                          Objects.requireNonNull(RocksJavaEngine.class.getResourceAsStream(name)));
                  default -> resources.apply(name);
                },
            LibraryVersion.of(() -> RocksDB.class, artifact));
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
}
