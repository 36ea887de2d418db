package io.kvstadium.cli;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.Table;
import io.kvstadium.store.spi.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open store, and what the commands that work on its entries share. Of one thread. */
final class Session {
  /** What may be done to a store. */
  enum Access {
    /** It is only read. */
    READ,
    /** It is there, and is written to. */
    WRITE,
    /** It is made if it is not there. */
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
  Session(Store store, Access access, Output out, View view, Screen screen) {
    this.store = store;
    this.access = access;
    this.out = out;
    this.view = view;
    this.screen = screen;
    List<String> tables = store.tables();
    table =
        tables.size() == 1 && !tables.contains(Store.DEFAULT_TABLE)
            ? tables.getFirst() // of a store that others made
            : Store.DEFAULT_TABLE;
  }

  /** Opens a store; one that is not there is an error unless it is to be made. */
  static Store open(Engines engines, String url, Access access) {
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
                  "and createIfMissing=false forbids to make one", "and only --create makes one"),
          e);
    }
  }

  /**
   * How a store is to be opened: as asked, but for that of an engine which keeps nothing, for it is
   * made by the session.
   */
  static Access access(Engines engines, String url, Access asked) {
    EngineInfo info = engines.engine(StoreUrl.parse(url).engine()).info();
    return info.capabilities().contains(Capability.PERSISTENT) ? asked : Access.CREATE;
  }

  Store store() {
    return store;
  }

  Output out() {
    return out;
  }

  Screen screen() {
    return screen;
  }

  boolean isWritable() {
    return access != Access.READ;
  }

  View view() {
    return view;
  }

  void view(View chosen) {
    view = chosen;
  }

  /** The name of the table that is worked on where no other is named. */
  String tableName() {
    return table;
  }

  /**
   * Works on this table from now on.
   *
   * @throws BadArgumentException if there is none of this name
   */
  void use(String name) {
    table(name);
    table = name;
  }

  /** The codecs that hold for a table where no others are named. */
  EntryCodecs codecs(String name) {
    return codecs.getOrDefault(name, EntryCodecs.AUTO);
  }

  void codecs(String name, EntryCodecs chosen) {
    codecs.put(name, chosen);
  }

  /**
   * A table that is there.
   *
   * @throws BadArgumentException if there is none of this name
   */
  Table table(String name) {
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
   * A table to write to.
   *
   * @param create whether it is made if it is not there
   * @throws BadArgumentException if there is none, or the store is only read
   */
  Table tableToWrite(String name, boolean create) {
    requireWritable();
    return create ? store.table(name) : table(name);
  }

  /** Collects a write in the batch if there is one; whether it did. */
  boolean collect(Consumer<Batch> write) {
    if (batch == null) {
      return false;
    }
    batch.add(write);
    return true;
  }

  /**
   * Begins a batch.
   *
   * @throws BadArgumentException if one is open, or the store is only read
   */
  void begin() {
    requireWritable();
    if (batch != null) {
      throw new BadArgumentException("a batch is open already: commit it, or rollback");
    }
    store.write(_ -> {}); // says so if there are no batches
    batch = new ArrayList<>();
  }

  /** Writes the batch, and how many writes it had. If that fails the batch stays. */
  int commit() {
    List<Consumer<Batch>> writes = batch();
    store.write(each -> writes.forEach(write -> write.accept(each)));
    batch = null;
    return writes.size();
  }

  /** Drops the batch, and how many writes it had. */
  int rollback() {
    int writes = batch().size();
    batch = null;
    return writes;
  }

  /** How many writes are in the batch, -1 if there is no batch. */
  int collected() {
    return batch == null ? -1 : batch.size();
  }

  private List<Consumer<Batch>> batch() {
    if (batch == null) {
      throw new BadArgumentException("no batch is open: begin opens one");
    }
    return batch;
  }

  private void requireWritable() {
    if (!isWritable()) {
      throw new BadArgumentException(
          "the shell opened this store only to read it: start it with --write");
    }
  }
}
