package io.kvstadium.store.internal.open;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.internal.guard.Failures;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.internal.guard.StoreAccess;
import io.kvstadium.store.internal.view.CodecTable;
import io.kvstadium.store.internal.view.Listening;
import io.kvstadium.store.internal.view.SnapshotView;
import io.kvstadium.store.internal.view.StoreCalls;
import io.kvstadium.store.internal.view.Tables;
import io.kvstadium.store.record.CallRecorder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An open store: what is the same on every engine. */
public final class OpenStore<T extends EngineTable> implements Store, Recording.Recordable {
  private final String url;
  private final EngineInfo engine;
  private final EngineStore<T> engineStore;
  private final OpenOptions openOptions;
  private final StorePlace place;
  private final boolean adopted;
  private final @Nullable DirectoryLock lock;
  private final Set<Capability> capabilities;
  private final Limits limits;
  private final Durability durability;
  private final Listening listening;
  private final Map<String, String> options;
  private final long budget;
  private final @Nullable Move move;
  private volatile @Nullable StoreRecording recording;

  private final StoreAccess access;
  private final Set<Handle> handles = ConcurrentHashMap.newKeySet();
  private final StoreCalls<T> calls;
  private final Tables<T> tables;

  /** Syncs in the background, if that is asked for. */
  private volatile @Nullable Thread syncs;

  private final ReentrantLock closing = new ReentrantLock();

  public OpenStore(
      String url,
      EngineInfo engine,
      Set<Capability> declared,
      EngineStore<T> engineStore,
      StoreConfig config,
      Failures failures,
      OpenOptions openOptions,
      @Nullable DirectoryLock lock,
      Requirements requirements,
      @Nullable Move move) {
    this.url = url;
    this.engine = engine;
    this.engineStore = engineStore;
    this.openOptions = openOptions;
    this.adopted = config.adopt();
    this.lock = lock;
    this.move = move;
    EnumSet<Capability> present = EnumSet.noneOf(Capability.class);
    present.addAll(Objects.requireNonNullElse(engineStore.capabilities(), declared));
    if (adopted) { // a backup of ours would be opened as a store of ours
      present.remove(Capability.BACKUP);
    }
    if (openOptions.readOnly()) {
      present.removeAll(
          EnumSet.of(Capability.WRITE, Capability.BULK_LOAD, Capability.RANGE_DELETE));
    }
    this.capabilities = Capability.all(present);
    this.limits = Objects.requireNonNullElse(engineStore.limits(), engine.limits());
    this.durability = config.durability();
    this.listening = new Listening(openOptions.listener());
    this.options = config.options().given();
    this.budget =
        engine.options().stream()
            .filter(spec -> spec.budget() != null && config.options().has(spec.name()))
            .mapToLong(spec -> config.options().size(spec.name()))
            .sum();
    this.access = new StoreAccess(url, failures);
    this.place =
        new StorePlace(
            url,
            engine.name(),
            config.path(),
            !adopted,
            openOptions.readOnly(),
            capabilities.contains(Capability.PERSISTENT),
            () -> access.read(engineStore::identity));
    this.calls =
        new StoreCalls<>(
            this,
            engineStore,
            openOptions.readOnly(),
            access,
            listening,
            capability -> requirements.unsupported(engine, capability));
    this.tables = new Tables<>(calls, config, handles);
  }

  /** What its tables call it for. */
  StoreCalls<T> calls() {
    return calls;
  }

  /** A store that can do more than its interface says. */
  public static OpenStore<?> of(Store store) {
    if (store instanceof OpenStore<?> open) {
      return open;
    }
    throw new BadArgumentException(store + " is not a store that this library opened");
  }

  @Override
  public Recording record(Recording.Options options) {
    place.checkApart(options.file());
    synchronized (listening) {
      StoreRecording present = recording;
      if (present != null && present.isRecording()) {
        throw new BadArgumentException(
            url + " is being recorded into " + present.file() + ": close that recording first");
      }
      Gate.Pass pass = access.enter();
      try {
        StoreRecording begun = StoreRecording.start(this, listening, options);
        recording = begun;
        return begun;
      } finally {
        access.exit(pass);
      }
    }
  }

  @Override
  public @Nullable Recording recording() {
    return recording;
  }

  /** The options of the engine that the URL has. */
  Map<String, String> options() {
    return options;
  }

  /** Syncs in the background, if a sync adds something. */
  void syncEvery(Duration period) {
    if (!openOptions.readOnly() && durability() != Durability.POWER) {
      syncs = PeriodicSync.start(this, period);
    }
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public EngineInfo engine() {
    return engine;
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public Table<byte[], byte[]> table() {
    return table(DEFAULT_TABLE);
  }

  @Override
  public Table<byte[], byte[]> table(String name) {
    return tables.get(name).bytes();
  }

  @Override
  public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return new CodecTable<>(tables.get(name), keys, values);
  }

  @Override
  public List<String> tables() {
    return access.read(() -> engineStore.tables().stream().sorted().toList());
  }

  @Override
  public void dropTable(String name) {
    Tables.checkName(name);
    calls.checkWritable();
    if (adopted) {
      throw new UnsupportedException(
          url + ": an adopted store keeps the tables that it has: clear() it instead");
    }
    calls.require(Capability.TABLES);
    calls.checkOutside("dropTable");
    tables.drop(name);
  }

  @Override
  public void write(Consumer<Batch> block) {
    calls.write(block);
  }

  @Override
  public <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block) {
    return calls.transact(options, block);
  }

  @Override
  public Snapshot snapshot() {
    calls.require(Capability.SNAPSHOT);
    return access.read( // or a store that closes could miss it
        () -> new SnapshotView<>(calls, engineStore.snapshot(), handles));
  }

  @Override
  public void sync() {
    calls.checkWritable();
    long begun = listening.beginRecorded();
    calls.called(
        StoreListener.Call.SYNC,
        0,
        () -> {
          engineStore.sync();
          return true;
        });
    listening.recordBound(CallRecorder.CallKind.SYNC, CallRecorder.CallOutcome.OK, "", begun);
  }

  /** Refuses a copy of its files that this store cannot give, or not now; nothing is touched. */
  public void checkCopy() {
    calls.require(Capability.BACKUP);
    calls.checkOutside("backup");
    access.checkWritable(); // what failed to be written must not become a backup either
    access.exit(access.enter()); // before anything is made
    place.refuseIncomplete();
  }

  /** Where it is, for tools. */
  public StorePlace place() {
    return place;
  }

  /** Copies its files with the marks that make them a store; see {@link Stores#copyFiles}. */
  public boolean copyFiles(BackupTarget target) {
    boolean files = calls.whileOpen(() -> engineStore.backup(target), false);
    if (files) {
      place.markCopy(target.directory());
    }
    return files;
  }

  @Override
  public boolean compact() {
    calls.checkWritable();
    boolean compacts = false;
    for (String name : tables()) {
      compacts |= table(name).compact();
    }
    return compacts;
  }

  @Override
  public Map<String, String> stats() {
    BackgroundWork background = background();
    StoreStatus.Memory memory = access.read(this::askedMemory);
    Map<String, String> all = new LinkedHashMap<>();
    if (memory.budget() > 0) {
      all.put("memory_budget", Long.toString(memory.budget()));
    }
    if (!memory.parts().isEmpty()) {
      all.put("memory_used", Long.toString(memory.used()));
      memory.parts().forEach((part, bytes) -> all.put("memory." + part, Long.toString(bytes)));
    }
    all.putAll(access.read(engineStore::stats));
    if (background != null) {
      all.put("background_jobs", Integer.toString(background.jobs()));
      all.put("compaction_pending_bytes", Long.toString(background.pendingBytes()));
    }
    return all;
  }

  @Override
  public long sizeOnDisk() {
    return access.read(place::size);
  }

  @Override
  public long diskReserve() {
    return access.read(engineStore::diskReserve);
  }

  @Override
  public StoreStatus status() {
    StadiumException failure = access.poison();
    StoreStatus.State state =
        access.gate().isClosed()
            ? StoreStatus.State.CLOSED
            : failure != null ? StoreStatus.State.FAILED : StoreStatus.State.OPEN;
    return new StoreStatus(
        state, state == StoreStatus.State.FAILED ? failure : null, handles.size(), memory());
  }

  /** Whether it is neither closed nor failed. */
  boolean isOpen() {
    return !access.gate().isClosed() && access.poison() == null;
  }

  private StoreStatus.@Nullable Memory memory() {
    try {
      return access.read(this::askedMemory);
    } catch (RuntimeException e) {
      return null; // it is closed, or has failed
    }
  }

  private StoreStatus.Memory askedMemory() throws Exception {
    return new StoreStatus.Memory(budget, engineStore.memory());
  }

  @Override
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  public @Nullable BackgroundWork background() {
    return access.read(engineStore::background);
  }

  @Override
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  public @Nullable WriteStalls stalls() {
    return access.read(engineStore::stalls);
  }

  @Override
  public @Nullable Move move() {
    return move;
  }

  @Override
  public void close() {
    calls.checkOutside("close");
    closing.lock(); // a second close waits for the first
    try {
      if (!access.gate().isClosed()) {
        closeAll();
      }
    } finally {
      closing.unlock();
    }
  }

  /** Closes each part, whatever happens to the others. */
  private void closeAll() {
    access.gate().shut();
    LockSupport.unpark(syncs);
    access.gate().close();
    calls.close(() -> {
      try (StoreRecording _ = recording;
          DirectoryLock _ = lock) {
        handles.forEach(Handle::closeForgotten);
        closeEngine();
      }
    });
  }

  /** What fails because the store had failed is not thrown: its user closes it to open it again. */
  private void closeEngine() {
    StadiumException known = access.poison();
    try {
      access.close(engineStore::close);
    } catch (RuntimeException e) {
      if (known == null) {
        throw e;
      }
      known.addSuppressed(e);
    }
  }

  @Override
  public String toString() {
    return url;
  }
}
