package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Options;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  private static final String FORM = "write mysql://user@host:port/database";

  /** Whether a location names the user's own server. */
  static boolean isServer(String location) {
    return location.startsWith("//");
  }

  /** A database on the user's own server. */
  static Address of(String location, Options options) {
    URI uri;
    try {
      uri = new URI("mysql:" + location);
    } catch (URISyntaxException e) {
      throw new BadArgumentException("mysql: '" + location + "' is not an address: " + FORM, e);
    }
    String user = uri.getUserInfo();
    if (user != null && user.contains(":")) {
      throw new BadArgumentException(
          "mysql: a URL may not contain a password, since URLs are printed: put it into a file and"
              + " name that with password_file, or into $MYSQL_PWD");
    }
    String path = uri.getPath();
    if (uri.getHost() == null || path == null || !path.matches("/[^/]{1,64}")) {
      throw new BadArgumentException("mysql: '" + location + "' is not an address: " + FORM);
    }
    for (String option :
        Stream.concat(
                Stream.of(MysqlOptions.DIR, MysqlOptions.SERVER), MysqlOptions.VARIABLES.stream())
            .toList()) {
      if (options.given().containsKey(option)) {
        throw new BadArgumentException(
            "mysql: option " + option + " is for private servers: leave it out with mysql://");
      }
    }
    Properties properties = common();
    if (user != null) {
      properties.setProperty("user", user);
    }
    properties.setProperty("password", password(options.text(MysqlOptions.PASSWORD_FILE)));
    properties.setProperty("sslMode", options.text(MysqlOptions.SSL_MODE));
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
    properties.setProperty(UnixSocketFactory.PATH, server.address());
    return new Address(
        directory.toString(), "jdbc:mysql://localhost/", PrivateServer.DATABASE, properties);
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

  private static String password(String file) {
    if (file.isEmpty()) {
      @Nullable String given = System.getenv("MYSQL_PWD");
      return given == null ? "" : given;
    }
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new StoreIoException(
          "mysql: password_file=" + file + " cannot be read; check path and rights: " + e, e);
    }
  }
}
