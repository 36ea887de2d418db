package io.kvstadium.server.http;

import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The tables that may be asked for by name. Safe for all threads; may touch the disk. */
final class Tables {
  /** Those of the Redis databases. */
  private static final Pattern DATABASE = Pattern.compile("db(\\d|1[0-5])");

  private final Store store;
  private final boolean raw;

  /** Under this object's monitor, which is never held while somebody else is waited for. */
  private final Set<String> dropping = new HashSet<>();

  Tables(Store store, boolean raw) {
    this.store = store;
    this.raw = raw;
  }

  /** The names of those that exist. */
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
              + " is a Redis database, whose entries have a form of their own: ask by"
              + " the Redis protocol");
    }
  }

  /**
   * A table that exists. Asked for again each time, for others may remove it.
   *
   * @throws HttpException if there is none
   */
  Table get(String name) {
    if (name.equals(Store.DEFAULT_TABLE)) {
      return store.table();
    }
    checkOpen(name);
    synchronized (this) {
      if (!exists(name)) {
        throw new HttpException(HttpResponseStatus.NOT_FOUND, "there is no table " + name);
      }
      return store.table(name);
    }
  }

  private boolean exists(String name) {
    return !dropping.contains(name) && store.tables().contains(name);
  }

  /** Makes a table; whether there was none. */
  boolean create(String name) {
    checkOpen(name);
    boolean isNew = !store.tables().contains(name);
    store.table(name);
    return isNew;
  }

  /** Removes a table. Only where no round is being executed that writes to it. */
  void drop(String name) {
    if (name.equals(Store.DEFAULT_TABLE) || DATABASE.matcher(name).matches()) {
      throw new HttpException(
          HttpResponseStatus.CONFLICT, "table " + name + " is needed by the server");
    }
    synchronized (this) {
      if (!exists(name)) {
        throw new HttpException(HttpResponseStatus.NOT_FOUND, "there is no table " + name);
      }
      dropping.add(name);
    }
    try {
      store.dropTable(name);
    } finally {
      synchronized (this) {
        dropping.remove(name);
      }
    }
  }
}
