package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Loss;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** MySQL and MariaDB: the user's own server, or a private one that comes with the store. */
public final class MysqlEngine implements Engine {
  private static final String PRIVATE = "private";

  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  /** For {@link java.util.ServiceLoader}. */
  public MysqlEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "mysql",
        "MySQL and MariaDB",
        ServerProgram.VERSION,
        "GPL-2.0-only",
        "The SQL servers with InnoDB: one of your own, or a private MariaDB in the store's directory.",
        "MariaDB is maintained by the MariaDB Foundation and MariaDB plc, MySQL by Oracle, both with"
            + " several releases a year (https://mariadb.org, https://www.mysql.com).",
        true,
        CAPABILITIES,
        MysqlTable.Form.KV.limits(),
        durability(),
        MysqlOptions.ALL,
        List.of(
            "mysql:DIRECTORY (or mysql:private?dir=DIRECTORY) starts a private MariaDB "
                + ServerProgram.VERSION
                + " whose data are in that directory; mysql://user@host:port/database uses a server"
                + " of your own, MySQL or MariaDB.",
            "A private server listens on a socket inside its directory, which only its owner may"
                + " enter, and on no network; it ends with the process that opened the store, even"
                + " if that is killed, and a start and an end take about a second together.",
            "The private server's program is not part of the distribution, because it is large and"
                + " under the GPL. The first open takes MariaDB "
                + ServerProgram.VERSION
                + " (Linux on x86-64) from the local Maven repository, else an installed mariadbd,"
                + " else it downloads the former (149 MB) from Maven's repository or from the"
                + " mirror that $STADIUM_MAVEN_REPOSITORY names, but not if $STADIUM_NO_DOWNLOAD is"
                + " set. It checks the SHA-256 and unpacks the program (315 MB) into the user's"
                + " cache directory. server=PATH names another one. Statistics (stadium stat --json) say"
                + " which it is. bench, check and torture download nothing: they leave mysql out"
                + " until it is there.",
            "A private server's tables are not compacted on request, since after a power cut while"
                + " it rebuilt a table MariaDB 11.4.5 may not start again, durability=power or not."
                + " It reuses the space of deleted entries. On a server of your own, where"
                + " compact() rebuilds the table, the same may happen.",
            "Every call is a trip to another process: a get from a private server took 40 to 130 µs"
                + " on two cores, depending on how busy they were, nearly all of it for the trip;"
                + " batches, getAll and short scans make one trip for many entries.",
            "Passwords come from password_file or $MYSQL_PWD, never from the URL, since URLs are"
                + " printed in reports.",
            "A database on a server of your own must be empty, missing or this store's alone; several"
                + " processes may have it open at once, and destroying it removes the store's tables"
                + " only.",
            "On a server of your own the level follows from its innodb_flush_log_at_trx_commit, which"
                + " is checked when the store is opened: a weaker one than asked for is refused.",
            "sync() below durability=power sets innodb_flush_log_at_trx_commit to 1 for a moment, for"
                + " which a user of your own server needs the right to set global variables.",
            "Values are limited to 64 MB here, and on a server of your own to its max_allowed_packet"
                + " (16 MB by MariaDB's default).",
            "Interrupting a virtual thread inside a call, or any thread on a private server, breaks"
                + " its connection: the call fails, and after a write the store must be opened"
                + " again.",
            "On a full disk MariaDB may exit on its own: the error says so, nothing acknowledged is"
                + " lost, and the store opens again once there is room.",
            "InnoDB counts lock timeouts in whole seconds: shorter ones are taken as one second;"
                + " single writes wait 5 s for another's locks.",
            "Transactions lock what they scan, and the gaps beside keys that they read and did not"
                + " find, so two of them may end in a deadlock, of which one is rolled back and tried"
                + " again.",
            "A snapshot, or a scan of more than a few entries, keeps a connection and old versions of"
                + " rows until it is closed; compacting a table makes older snapshots of it useless.",
            "schema=casket makes the table of an old comparison, an automatic number as the primary"
                + " key and the key in an index: slower in everything, as an SQL table that was not"
                + " made for keys and values is; its index is unique so that a put can replace, keys"
                + " have at most 255 bytes, values 65,535, and each put uses up one of two billion"
                + " numbers.",
            "The driver, MySQL Connector/J, is GPL-2.0 with the Universal FOSS Exception."));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    String variable = "innodb_flush_log_at_trx_commit=";
    Evidence manual = Evidence.documented("https://mariadb.com/kb/en/innodb-system-variables/");
    DurabilityMapping synced = DurabilityMapping.power(variable + 1, manual);
    return DurabilityMapping.levels(
        DurabilityMapping.none(
            variable + "0 (on a server of your own: whatever it has)", Loss.SECONDS, Loss.SECONDS),
        DurabilityMapping.process(variable + "2 (on a server of your own: that, or 1)", manual),
        synced,
        synced.byDefault());
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    if (Address.isServer(location)) {
      return null;
    }
    if (!location.equals(PRIVATE)) {
      return location;
    }
    if (!options.has(MysqlOptions.DIR)) {
      throw new BadArgumentException(
          "mysql:private needs a directory: write mysql:private?dir=DIRECTORY, or mysql:DIRECTORY");
    }
    return options.text(MysqlOptions.DIR);
  }

  @Override
  public @Nullable String unavailable() {
    return ServerProgram.missing();
  }

  /** Downloads what is missing before the open locks or makes anything. */
  @Override
  public @Nullable String unavailable(StoreConfig config) {
    if (config.path() != null) {
      ServerProgram.of(config.options().text(MysqlOptions.SERVER));
    }
    return null;
  }

  @Override
  public boolean exists(StoreConfig config) throws SQLException {
    return config.path() != null
        ? PrivateServer.existsIn(config.path())
        : MysqlDatabase.existsOn(Address.of(config.location(), config.options()));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Set<Capability> capabilities = EnumSet.copyOf(CAPABILITIES);
    if (config.path() != null) {
      capabilities.remove(Capability.CONCURRENT_READ_ONLY);
      // after a power cut in ALTER TABLE the server may not start: see docs/durability.md
      capabilities.remove(Capability.COMPACT);
    }
    return capabilities;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception {
    return new MysqlStore(
        MysqlDatabase.undisturbed(() -> MysqlDatabase.open(config)),
        config.durability(),
        capabilities(config),
        MysqlTable.Form.of(config.options().text(MysqlOptions.SCHEMA)).limits());
  }

  @Override
  public void destroy(StoreConfig config) throws Exception {
    if (config.path() == null) {
      MysqlDatabase.destroyOn(Address.of(config.location(), config.options()));
    } else {
      PrivateServer.endLeftoverIn(config.path());
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return MysqlErrors.of(thrown, null);
  }
}
