package io.kvstadium.store.internal.move;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.internal.guard.EngineCall;
import io.kvstadium.store.internal.guard.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of the two stores of a move: what its engine opened, and the tables that were asked for. */
public final class Side {
  /** The hidden table, with what the other store lacks, or how far it was filled. */
  public static final String LOG = "stadium.move";

  /** Stays for as long as a store does; see {@code StoreDirectory}. */
  private static final String LOCK_FILE = "stadium.lock";

  final int index;
  final String url;
  final EngineStore<EngineTable> store;
  final Set<Capability> capabilities;
  final Limits limits;
  private final StoreConfig config;
  private final Failures failures;
  private final @Nullable AutoCloseable lock;
  private final String marker;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Map<String, EngineTable> tables = new ConcurrentHashMap<>();

  /** Read-locked while a table is read outside of the library's guards. */
  private final ReentrantReadWriteLock drops = new ReentrantReadWriteLock();

  /**
   * @param index 0 for the old store, 1 for the new one
   * @param declared what its engine can do with this configuration
   * @param lock is closed after the engine
   */
  @SuppressWarnings("unchecked") // its tables are given to it only
  public Side(
      int index,
      String url,
      EngineInfo info,
      Set<Capability> declared,
      EngineStore<?> store,
      StoreConfig config,
      Failures failures,
      @Nullable AutoCloseable lock) {
    this.index = index;
    this.url = url;
    this.store = (EngineStore<EngineTable>) store;
    this.capabilities = Capability.all(Objects.requireNonNullElse(store.capabilities(), declared));
    this.limits = Objects.requireNonNullElse(store.limits(), info.limits());
    this.config = config;
    this.failures = failures;
    this.lock = lock;
    this.marker = marker();
  }

  Path directory() {
    return config.directory();
  }

  /** Whether its files are still where they were opened. */
  boolean isInPlace() {
    return marker.equals(marker());
  }

  /** What tells its directory from one that was put in its place. */
  private String marker() {
    try {
      BasicFileAttributes lockFile =
          Files.readAttributes(directory().resolve(LOCK_FILE), BasicFileAttributes.class);
      return lockFile.fileKey() + " of " + lockFile.creationTime();
    } catch (IOException e) {
      return "none";
    }
  }

  /** Calls the engine; what it throws is in the library's words, and names this store. */
  <R extends @Nullable Object> R call(EngineCall<R> call) {
    try {
      return call.run();
    } catch (Throwable e) {
      throw failures.of(e);
    }
  }

  void run(EngineCall.Action action) {
    Boolean _ =
        call(() -> {
          action.run();
          return true;
        });
  }

  /** Reads tables of which none is removed meanwhile. */
  <R extends @Nullable Object> R reading(Supplier<R> step) {
    drops.readLock().lock();
    try {
      return step.get();
    } finally {
      drops.readLock().unlock();
    }
  }

  /** A copy of a value; {@code null} if there is none, or no such table. */
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  byte @Nullable [] get(String table, byte[] key) {
    EngineTable opened = open(table, false);
    return opened == null ? null : call(() -> store.get(opened, key));
  }

  /** The names of its tables, in order, but for the hidden one. */
  Set<String> names() {
    Set<String> names = new TreeSet<>(call(store::tables));
    names.remove(LOG);
    return names;
  }

  /** A table; {@code null} if there is none and it is not to be made. */
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  @Nullable EngineTable open(String name, boolean create) {
    EngineTable known = tables.get(name);
    return known != null
        ? known
        : tables.computeIfAbsent(
            name, _ -> call(() -> store.openTable(name, config.tableOptions(name), create)));
  }

  /** A table, made if there is none. */
  EngineTable made(String name) {
    return Objects.requireNonNull(open(name, true), name);
  }

  EngineTable log() {
    return made(LOG);
  }

  /** Removes a table, if there is one. */
  public void drop(String name) {
    EngineTable table = open(name, false);
    if (table != null) {
      drops.writeLock().lock();
      try {
        run(() -> store.dropTable(table));
        tables.remove(name);
      } finally {
        drops.writeLock().unlock();
      }
    }
  }

  void write(List<Write<EngineTable>> writes) {
    if (!writes.isEmpty()) {
      run(() -> store.write(writes));
    }
  }

  void sync() {
    run(store::sync);
  }

  /** A sync of what was read or written, unless its level makes that needless, or says nothing. */
  void makeDurable() {
    if (config.durability() != Durability.POWER && config.durability() != Durability.PROCESS) {
      sync();
    }
  }

  /** Closes the engine, then the lock; a second call does nothing. */
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    run(() -> {
      try (AutoCloseable _ = lock) {
        store.close();
      }
    });
  }
}
