package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.UnsupportedException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB's server program: the one that the user names, the version that belongs to this engine if
 * it is on this machine, an installed one, or that version, downloaded.
 *
 * @param command the program, and arguments about where it is
 */
record ServerProgram(List<String> command) {
  static final String HOW_TO_GET =
      "install one (apt install mariadb-server), name one with server=PATH, or use a server of your"
          + " own with mysql://user@host/database";

  private static final List<String> NAMES = List.of("mariadbd", "mysqld");

  /** Where servers are installed, and often not on the path of a user. */
  private static final List<String> SYSTEM =
      List.of("/usr/sbin", "/usr/local/sbin", "/usr/libexec");

  /** The version that belongs to this engine. */
  static final String VERSION = ServerArchive.of(Map.of()).version();

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
    return of(
        ServerArchive.of(environment), folders(environment), ServerArchive.isForThisMachine());
  }

  /**
   * The program to run.
   *
   * @param archive this engine's version
   * @param folders where a server may be installed
   * @param usable whether the archive has one for this machine
   */
  static ServerProgram of(ServerArchive archive, List<String> folders, boolean usable) {
    if (usable && archive.takeFromHere()) {
      return new ServerProgram(archive.command());
    }
    Path program = find(folders);
    if (program != null) {
      return installed(program);
    }
    if (!usable) {
      throw new UnsupportedException(
          "mysql: there is no MariaDB on this machine, and none to download for %s on %s: %s"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), HOW_TO_GET));
    }
    archive.download();
    return new ServerProgram(archive.command());
  }

  private static ServerProgram installed(Path program) {
    return new ServerProgram(List.of(program.toString(), "--no-defaults"));
  }

  /** Why the first open of a private store would have to download it, or {@code null}. */
  static @Nullable String missing() {
    Map<String, String> environment = System.getenv();
    boolean usable = ServerArchive.isForThisMachine();
    if ((usable && ServerArchive.of(environment).isHere()) || find(folders(environment)) != null) {
      return null;
    }
    return "MariaDB's server program is not on this machine: %s%s"
        .formatted(
            usable
                ? "any other first use of mysql:DIRECTORY (as in 'stadium put mysql:x key value"
                    + " --create') downloads it (149 MB), or "
                : "",
            HOW_TO_GET);
  }

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
