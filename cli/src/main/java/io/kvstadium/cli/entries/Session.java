package io.kvstadium.cli.entries;

import io.kvstadium.cli.engines.ReadOnly;
import io.kvstadium.cli.io.Output;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open store and the state that the commands on its entries share. For one thread. */
public final class Session {
  /** What may be done to a store. */
  public enum Access {
    /** The store is only read. */
    READ,
    /** The store exists, and is written to. */
    WRITE,
    /** The store is created if missing. */
    CREATE
  }

  private final Store store;
  private final Access access;
  private final Output out;
  private final Screen screen;
  private final Map<String, EntryCodecs> codecs = new HashMap<>();
  private View view;
  private String table;
  private @Nullable List<Consumer<Batch>> batch;

  /**
   * A session on a store that somebody else closes.
   *
   * @param access how the store was opened
   */
  public Session(Store store, Access access, Output out, View view, Screen screen) {
    this.store = store;
    this.access = access;
    this.out = out;
    this.view = view;
    this.screen = screen;
    List<String> tables = store.tables();
    table =
        tables.size() == 1 && !tables.contains(Store.DEFAULT_TABLE)
            ? tables.getFirst() // the store was made by another program
            : Store.DEFAULT_TABLE;
  }

  /** Opens a store; a missing one is an error unless it may be created. */
  public static Store open(Engines engines, String url, Access access) {
    OpenOptions writing = OpenOptions.DEFAULT.require(Capability.WRITE);
    try {
      return switch (access) {
        case READ -> ReadOnly.open(engines, url);
        case WRITE -> engines.open(url, writing.createIfMissing(false));
        case CREATE -> engines.open(url, writing);
      };
    } catch (BadArgumentException e) {
      throw new BadArgumentException(
          String.valueOf(e.getMessage())
              .replaceFirst(
                  "and createIfMissing=false forbids creating one", "and only --create makes one"),
          e);
    }
  }

  /**
   * How to open a store: as requested, except that the store of an engine which keeps nothing must
   * be created by the session.
   */
  public static Access access(Engines engines, String url, Access asked) {
    EngineInfo info = engines.engine(StoreUrl.parse(url).engine()).info();
    return info.capabilities().contains(Capability.PERSISTENT) ? asked : Access.CREATE;
  }

  public Store store() {
    return store;
  }

  public Output out() {
    return out;
  }

  public Screen screen() {
    return screen;
  }

  public boolean isWritable() {
    return access != Access.READ;
  }

  public View view() {
    return view;
  }

  public void view(View chosen) {
    view = chosen;
  }

  /** The name of the current table, used where no other is named. */
  public String tableName() {
    return table;
  }

  /**
   * Makes this table the current one.
   *
   * @throws BadArgumentException if there is no table of this name
   */
  public void use(String name) {
    table(name);
    table = name;
  }

  /** The codecs of a table, used where no others are named. */
  public EntryCodecs codecs(String name) {
    return codecs.getOrDefault(name, EntryCodecs.AUTO);
  }

  public void codecs(String name, EntryCodecs chosen) {
    codecs.put(name, chosen);
  }

  /**
   * Returns an existing table.
   *
   * @throws BadArgumentException if there is no table of this name
   */
  public Table<byte[], byte[]> table(String name) {
    List<String> tables = store.tables();
    if (tables.contains(name)) {
      return store.table(name);
    }
    throw new BadArgumentException(
        "there is no table "
            + name
            + Nearest.hint(name, tables)
            + "; there are: "
            + (tables.isEmpty() ? "none" : String.join(", ", tables))
            + (isWritable() ? "; put --create makes one" : ""));
  }

  /**
   * Returns a table to write to.
   *
   * @param create whether to create it if it is missing
   * @throws BadArgumentException if there is none, or the store is read-only
   */
  public Table<byte[], byte[]> tableToWrite(String name, boolean create) {
    requireWritable();
    return create ? store.table(name) : table(name);
  }

  /** Collects a write in the batch if one is open; returns whether it did. */
  public boolean collect(Consumer<Batch> write) {
    if (batch == null) {
      return false;
    }
    batch.add(write);
    return true;
  }

  /**
   * Begins a batch.
   *
   * @throws BadArgumentException if one is already open, or the store is read-only
   */
  public void begin() {
    requireWritable();
    if (batch != null) {
      throw new BadArgumentException("a batch is already open: use commit or rollback");
    }
    store.write(_ -> {}); // fails if the engine has no batches
    batch = new ArrayList<>();
  }

  /** Writes the batch and returns its number of writes. If that fails, the batch stays open. */
  public int commit() {
    List<Consumer<Batch>> writes = batch();
    store.write(each -> writes.forEach(write -> write.accept(each)));
    batch = null;
    return writes.size();
  }

  /** Drops the batch and returns its number of writes. */
  public int rollback() {
    int writes = batch().size();
    batch = null;
    return writes;
  }

  /** How many writes are in the batch, -1 if there is no batch. */
  public int collected() {
    return batch == null ? -1 : batch.size();
  }

  private List<Consumer<Batch>> batch() {
    if (batch == null) {
      throw new BadArgumentException("no batch is open: open one with begin");
    }
    return batch;
  }

  private void requireWritable() {
    if (!isWritable()) {
      throw new BadArgumentException(
          "the shell opened this store read-only: start it with --write");
    }
  }
}
