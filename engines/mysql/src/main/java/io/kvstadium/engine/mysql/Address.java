package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ServerUrls;
import java.net.URI;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A database on a server, and how to connect to it.
 *
 * @param place for messages
 * @param url without the database
 * @param database its name
 * @param properties of connections
 */
record Address(String place, String url, String database, Properties properties) {
  static final int LOCK_WAIT_SECONDS = 5;

  private static final String PASSWORD = "MYSQL_PWD";
  private static final String FORM = "write mysql://user@host:port/database";

  /** Whether a location names the user's own server. */
  static boolean isServer(String location) {
    return location.startsWith("//");
  }

  /** A database on the user's own server. */
  static Address of(String location, Options options) {
    URI uri = ServerUrls.parse("mysql", location, FORM);
    String user = uri.getUserInfo();
    ServerUrls.checkUser("mysql", user, PASSWORD);
    String path = uri.getPath();
    if (path == null || !path.matches("/[^/]{1,64}")) {
      throw new BadArgumentException("mysql: '" + location + "' is not an address: " + FORM);
    }
    ServerUrls.checkPrivate(
        "mysql",
        Stream.concat(Stream.of("memory", "server"), MysqlDatabase.VARIABLES.stream()).toList(),
        options);
    Properties properties = common();
    if (user != null) {
      properties.setProperty("user", user);
    }
    String password = ServerUrls.password("mysql", options.text("password_file"), PASSWORD);
    properties.setProperty("password", password == null ? "" : password);
    properties.setProperty("sslMode", options.text("ssl_mode"));
    String authority = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    return new Address(
        authority + path, "jdbc:mysql://" + authority + "/", path.substring(1), properties);
  }

  /** The database of a private server. */
  static Address of(Path directory, PrivateServer server) {
    Properties properties = common();
    properties.setProperty("user", "root");
    properties.setProperty("sslMode", "disabled");
    properties.setProperty("socketFactory", UnixSocketFactory.class.getName());
    properties.setProperty(UnixSocketFactory.PATH, MariaDb.address(server));
    return new Address(
        directory.toString(), "jdbc:mysql://localhost/", MariaDb.DATABASE, properties);
  }

  private static Properties common() {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", "5000");
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("cachePrepStmts", "true");
    properties.setProperty("prepStmtCacheSize", "200");
    properties.setProperty("prepStmtCacheSqlLimit", "4096");
    properties.setProperty("useLocalSessionState", "true");
    // otherwise each scan sets a variable first and resets it afterwards
    properties.setProperty("netTimeoutForStreamingResults", "0");
    properties.setProperty(
        "sessionVariables",
        "sql_mode='STRICT_ALL_TABLES',innodb_lock_wait_timeout=%s,lock_wait_timeout=%s"
            .formatted(LOCK_WAIT_SECONDS, LOCK_WAIT_SECONDS));
    return properties;
  }
}
