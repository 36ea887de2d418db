package io.kvstadium.engine.mvstore;

import io.kvstadium.engine.h2file.FileCopy;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.OwnThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.h2.mvstore.Chunk;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/** An open file. See the package's page for how its locks work together. */
final class MvstoreStore implements EngineStore<MvstoreTable> {
  private static final int BYTES_PER_COMPACTION = 16 << 20;
  private static final long COMPACT_NANOS = 600_000_000_000L;

  /** What is rewritten is freed only later, so that is only a small part of what the disk has. */
  private static final int DISK_PART = 16;

  /** Enough for a few thousand removals. */
  private static final long RESERVE = 16 << 20;

  private final MVStore store;
  private final MvstoreFile file;
  private final int fillRate;
  private final Pins pins;

  /** For calls that MVStore leaves undone when interrupted and that are not on a hot path. */
  private final OwnThread ownThread = new OwnThread("mvstore");

  private final Map<String, MvstoreTable> tables = new ConcurrentHashMap<>();

  /** Held by the thread that saves. */
  private final ReentrantLock commits = new ReentrantLock();

  /** Shared by single writes and by saving; exclusive to a batch while it is applied. */
  private final StampedLock changes = new StampedLock();

  /** One at a time, since each switches the reuse of space off and on again. */
  private final ReentrantLock backups = new ReentrantLock();

  private final Housekeeping housekeeping;
  private final AtomicLong saves = new AtomicLong();

  MvstoreStore(MVStore store, MvstoreFile file, int fillRate) {
    this.store = store;
    this.pins = new Pins(store);
    this.file = file;
    this.fillRate = fillRate;
    this.housekeeping = new Housekeeping(fillRate, saves::get, this::rewrite);
    for (String name : store.getMapNames()) { // all: only open maps take part in compaction
      tables.put(
          name, new MvstoreTable(name, store.openMap(name, new UninterruptibleMap.Builder())));
    }
  }

  /** Starts to rewrite sparse chunks from time to time, unless MVStore does that on its own. */
  MvstoreStore started() {
    if (file.saved() && !store.isReadOnly()) {
      housekeeping.started();
    }
    return this;
  }

  Housekeeping housekeeping() {
    return housekeeping;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return MvstoreFile.classify(thrown);
  }

  // ---- tables

  @Override
  public Set<String> tables() {
    return Set.copyOf(tables.keySet());
  }

  @Override
  public @Nullable MvstoreTable openTable(String name, Options options, boolean create) {
    MvstoreTable table = tables.get(name);
    if (table != null || !create) {
      return table;
    }
    MvstoreTable made = ownThread.call(() -> make(name));
    save();
    tables.put(name, made);
    return made;
  }

  /**
   * Makes a map while nothing is being saved: at the end of a save, MVStore forgets that a map was
   * made since its start, and its close then leaves that map out if nothing is written afterwards.
   */
  private MvstoreTable make(String name) {
    List<MvstoreTable> made = new ArrayList<>(1);
    store.executeFilestoreOperation(() ->
        made.add(new MvstoreTable(name, store.openMap(name, new UninterruptibleMap.Builder()))));
    return made.getFirst();
  }

  @Override
  public void dropTable(MvstoreTable table) {
    tables.remove(table.name());
    change(() -> ownThread.run(() -> store.removeMap(table.map())));
  }

  @Override
  public boolean clear(MvstoreTable table) {
    change(table.map()::clear);
    return true;
  }

  @Override
  public long count(MvstoreTable table) {
    return root(table).getTotalCount();
  }

  @Override
  public long estimateCount(MvstoreTable table) {
    return count(table);
  }

  // ---- reading

  /** Returns the table's present state, never the middle of a batch. */
  private RootReference<byte[], byte[]> root(MvstoreTable table) {
    long stamp = changes.tryOptimisticRead();
    RootReference<byte[], byte[]> root = table.map().flushAndGetRoot();
    if (changes.validate(stamp)) {
      return root;
    }
    stamp = changes.readLock();
    try {
      return table.map().flushAndGetRoot();
    } finally {
      changes.unlockRead(stamp);
    }
  }

  /** Returns the value itself, not a copy. */
  private byte @Nullable [] find(MvstoreTable table, byte[] key) {
    Pins.Lane pin = pins.enter(); // before the root is taken
    try {
      return table.map().get(root(table).root, key);
    } finally {
      pins.exit(pin);
    }
  }

  @Override
  public byte @Nullable [] get(MvstoreTable table, byte[] key) {
    byte[] value = find(table, key);
    return value == null ? null : value.clone();
  }

  @Override
  public <R> @Nullable R get(MvstoreTable table, byte[] key, ValueReader<R> reader) {
    byte[] value = find(table, key);
    return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  @Override
  public boolean contains(MvstoreTable table, byte[] key) {
    return find(table, key) != null;
  }

  @Override
  public EngineCursor cursor(MvstoreTable table, Range<byte[]> range) {
    MVStore.TxCounter pin = store.registerVersionUsage();
    try {
      return new MvstoreCursor(root(table), range, () -> store.deregisterVersionUsage(pin));
    } catch (MVStoreException e) {
      store.deregisterVersionUsage(pin);
      throw e;
    }
  }

  @Override
  public EngineSnapshot<MvstoreTable> snapshot() {
    Map<MvstoreTable, RootReference<byte[], byte[]>> roots = new LinkedHashMap<>();
    long stamp = changes.writeLock(); // the tables' roots must be from the same moment
    try {
      MVStore.TxCounter pin = store.registerVersionUsage();
      for (MvstoreTable table : tables.values()) {
        roots.put(table, table.map().flushAndGetRoot());
      }
      return new MvstoreSnapshot(store, roots, pin);
    } finally {
      changes.unlockWrite(stamp);
    }
  }

  // ---- writing

  @Override
  public void put(MvstoreTable table, byte[] key, byte[] value) {
    byte[] ownKey = key.clone();
    byte[] ownValue = value.clone();
    change(() -> table.map().put(ownKey, ownValue));
  }

  @Override
  public void delete(MvstoreTable table, byte[] key) {
    change(() -> table.map().remove(key));
  }

  /** Makes one change that is atomic on its own. */
  private void change(Runnable change) {
    long stamp = changes.readLock();
    MVStore.TxCounter pin = store.registerVersionUsage(); // or pages that it walks may vanish
    try {
      change.run();
    } finally {
      store.deregisterVersionUsage(pin);
      changes.unlockRead(stamp);
    }
    pins.sweep();
    save();
  }

  @Override
  public void write(List<Write<MvstoreTable>> writes) {
    long stamp = changes.writeLock();
    MVStore.TxCounter pin = store.registerVersionUsage();
    boolean whole = false;
    try {
      for (Write<MvstoreTable> write : writes) {
        MVMap<byte[], byte[]> map = write.table().map();
        byte[] value = write.value();
        if (value == null) {
          map.remove(write.key());
        } else {
          map.put(write.key().clone(), value.clone());
        }
      }
      whole = true;
    } finally {
      if (!whole) {
        store.closeImmediately(); // what was applied of it must never be saved
      }
      store.deregisterVersionUsage(pin);
      changes.unlockWrite(stamp);
    }
    pins.sweep();
    save();
  }

  /** Makes what this thread changed durable, where every write must be. */
  private void save() {
    if (file.saved()) {
      ownThread.run(() -> save(false)); // MVStore closes itself if that is interrupted
    }
  }

  /**
   * Saves all changes, and syncs them if that is asked or promised. If there are none left, the
   * previous holder of the lock has saved them all, and synced them too.
   */
  private void save(boolean syncAlways) {
    commits.lock();
    try {
      refuseClosed();
      long stamp = changes.readLock(); // half a batch must not be saved
      boolean saved;
      try {
        saved = store.commit() >= 0;
      } finally {
        changes.unlockRead(stamp);
      }
      if (syncAlways || (saved && file.synced())) {
        syncOnce();
      }
      if (saved) {
        saves.incrementAndGet();
      }
    } finally {
      commits.unlock();
    }
  }

  /**
   * Rewrites sparse chunks and saves them, since the next commit of a writer would have to. Threads
   * that wait to save find their changes saved with them.
   */
  private long rewrite(int target, int mostBytes) {
    commits.lock();
    try {
      if (store.isClosed()) {
        return Housekeeping.NOTHING;
      }
      long stamp = changes.readLock();
      boolean rewritten;
      try {
        int most = (int) Math.min(mostBytes, file.usable() / DISK_PART);
        rewritten = most > 0 && store.compact(target, most) && store.commit() >= 0;
      } finally {
        changes.unlockRead(stamp);
      }
      if (!rewritten) {
        return Housekeeping.NOTHING;
      }
      syncOnce();
      return store.getFileStore().size() / 100 * store.getFileStore().getFillRate();
    } finally {
      commits.unlock();
    }
  }

  /** A failed sync must not be retried: the next one might report success without effect. */
  private void syncOnce() {
    try {
      store.sync();
    } catch (MVStoreException e) {
      store.closeImmediately();
      throw e;
    }
  }

  /** Fails if the store is closed: a closed MVStore commits nothing and does not report it. */
  private void refuseClosed() {
    if (store.isClosed()) {
      MVStoreException closed =
          DataUtils.newMVStoreException(DataUtils.ERROR_CLOSED, "This store is closed");
      closed.initCause(housekeeping.failure());
      throw closed;
    }
  }

  // ---- the whole

  @Override
  public void sync() {
    if (!store.isReadOnly()) {
      ownThread.run(() -> save(true));
    }
  }

  @Override
  public void compact(MvstoreTable table) {
    pins.dropAll();
    ownThread.run(() -> compact());
  }

  /**
   * Rewrites what is sparse. {@link MVStore#compactFile} would move chunks as well, but its last
   * step is wrong: it may put a chunk where the newest one was before that move is on the disk, and
   * where assertions are on it closes the store instead.
   */
  private void compact() {
    commits.lock();
    long stamp = changes.readLock(); // it also commits
    int retention = store.getRetentionTime();
    long end = System.nanoTime() + COMPACT_NANOS;
    try {
      store.setRetentionTime(0);
      while (store.compact(fillRate, BYTES_PER_COMPACTION) && System.nanoTime() < end) {
        syncOnce();
      }
      syncOnce();
    } finally {
      store.setRetentionTime(retention);
      changes.unlockRead(stamp);
      commits.unlock();
    }
  }

  /** Where commits are not saved one by one, half a batch may be in the file. */
  @Override
  public boolean backup(BackupTarget target) throws IOException {
    if (!file.saved() || store.isReadOnly()) {
      return false;
    }
    backups.lock();
    try {
      FileCopy copy =
          betweenCommits(() -> {
            store.setReuseSpace(false);
            return FileCopy.of(store);
          });
      copy.to(target.directory().resolve(file.path().getFileName()));
      return true;
    } finally {
      store.setReuseSpace(true);
      backups.unlock();
    }
  }

  private <R> R betweenCommits(Supplier<R> work) {
    commits.lock();
    try {
      refuseClosed();
      return work.get();
    } finally {
      commits.unlock();
    }
  }

  /** Each commit of a removal writes the pages on the way to it; what they replace is kept. */
  @Override
  public long diskReserve() {
    return RESERVE;
  }

  @Override
  public Map<String, String> stats() {
    Map<String, String> stats = new LinkedHashMap<>();
    store.populateInfo((name, value) -> stats.put(name.replace("info.", ""), value));
    List<Chunk<?>> chunks = new ArrayList<>();
    store
        .getLayoutMap()
        .forEach((name, chunk) -> {
          if (name.startsWith("chunk.")) {
            chunks.add(store.getFileStore().createChunk(chunk));
          }
        });
    chunks.sort(Comparator.comparingInt(chunk -> chunk.id));
    stats.put("bytes_by_chunk", spaced(chunks, chunk -> chunk.maxLen));
    stats.put("live_bytes_by_chunk", spaced(chunks, chunk -> chunk.maxLenLive));
    return stats;
  }

  private static String spaced(List<Chunk<?>> chunks, ToLongFunction<Chunk<?>> figure) {
    return chunks.stream()
        .mapToLong(figure)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }

  @Override
  public Map<String, Long> memory() {
    return Map.of(
        "cache", (long) store.getCacheSizeUsed() << 20, "unsaved", (long) store.getUnsavedMemory());
  }

  @Override
  public void close() {
    try (ownThread) {
      ownThread.run(() -> {
        housekeeping.close();
        store.setAutoCommitDelay(0); // ends the background thread, which may hold the lock for:
        pins.dropAll();
        // Reads only count their pins down; this releases versions that nobody uses any more.
        store.deregisterVersionUsage(store.registerVersionUsage());
        store.close();
      });
    }
  }
}
