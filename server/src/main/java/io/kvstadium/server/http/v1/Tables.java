package io.kvstadium.server.http.v1;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.ExistingTables;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tables that requests may name. Safe for all threads; may touch the disk. */
public final class Tables {
  /** The tables of the Redis databases. */
  private static final Pattern DATABASE = Pattern.compile("db(\\d|1[0-5])");

  private final Store store;
  private final boolean raw;

  private final ExistingTables existing;

  Tables(Executor executor, boolean raw) {
    this.store = executor.store();
    this.existing = executor.tables();
    this.raw = raw;
  }

  /** The names of the existing tables. */
  List<String> names() {
    return store.tables().stream().filter(this::isOpen).toList();
  }

  private boolean isOpen(String name) {
    return raw || !DATABASE.matcher(name).matches();
  }

  private void checkOpen(String name) {
    if (!isOpen(name)) {
      throw new HttpException(
          HttpResponseStatus.FORBIDDEN,
          "table "
              + name
              + " is a Redis database, whose entries have their own form: use"
              + " the Redis protocol");
    }
  }

  /**
   * An existing table. To be called again each time, since others may remove it.
   *
   * @throws HttpException if there is none
   */
  Table<byte[], byte[]> get(String name) {
    if (name.equals(Store.DEFAULT_TABLE)) {
      return store.table();
    }
    checkOpen(name);
    Table<byte[], byte[]> table = existing.find(name);
    if (table == null) {
      throw none(name);
    }
    return table;
  }

  private static HttpException none(String name) {
    return new HttpException(HttpResponseStatus.NOT_FOUND, "there is no table " + name);
  }

  /** Makes a table; returns whether there was none. */
  boolean create(String name) {
    checkOpen(name);
    boolean isNew = !store.tables().contains(name);
    var _ = existing.make(name);
    return isNew;
  }

  /**
   * Removes a table. Only while no commit group that writes to it is being executed.
   *
   * @param ended gets why it could not be removed, or {@code null}
   */
  void drop(String name, Consumer<@Nullable RuntimeException> ended) {
    if (name.equals(Store.DEFAULT_TABLE) || DATABASE.matcher(name).matches()) {
      throw new HttpException(
          HttpResponseStatus.CONFLICT, "table " + name + " is needed by the server");
    }
    if (!existing.beginDrop(name)) {
      throw none(name);
    }
    existing.endDrop(name, ended);
  }
}
