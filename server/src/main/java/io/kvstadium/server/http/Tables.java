package io.kvstadium.server.http;

import io.kvstadium.server.round.ExistingTables;
import io.kvstadium.server.round.Rounds;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.regex.Pattern;

/** The tables that may be asked for by name. Safe for all threads; may touch the disk. */
final class Tables {
  /** Those of the Redis databases. */
  private static final Pattern DATABASE = Pattern.compile("db(\\d|1[0-5])");

  private final Store store;
  private final boolean raw;

  private final ExistingTables existing;

  Tables(Rounds rounds, boolean raw) {
    this.store = rounds.store();
    this.existing = rounds.tables();
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
    Table table = existing.find(name);
    if (table == null) {
      throw none(name);
    }
    return table;
  }

  private static HttpException none(String name) {
    return new HttpException(HttpResponseStatus.NOT_FOUND, "there is no table " + name);
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
    if (!existing.drop(name)) {
      throw none(name);
    }
  }
}
