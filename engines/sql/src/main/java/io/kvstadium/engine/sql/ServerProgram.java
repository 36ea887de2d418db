package io.kvstadium.engine.sql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.engine.help.NativeCode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server's program: the one that the user names, the engine's version from the local Maven
 * repository, or an installed one.
 *
 * @param file the program
 * @param home where the artifact was unpacked, or {@code null} if it is an installed one
 */
public record ServerProgram(Path file, @Nullable Path home) {
  /**
   * The program to run.
   *
   * @param named the option {@code server}; may be empty
   * @param installed finds one on this machine, or {@code null}
   */
  public static ServerProgram of(
      ServerArtifact artifact, String named, Supplier<@Nullable Path> installed) {
    if (!named.isEmpty()) {
      if (!Files.isExecutable(Path.of(named))) {
        throw new BadArgumentException(
            "%s: server=%s is not a program that can be run: %s"
                .formatted(artifact.engine(), named, artifact.howToGet()));
      }
      return new ServerProgram(Path.of(named), null);
    }
    return of(artifact, inLocalRepository(artifact), cache(), installed);
  }

  /**
   * The program to run.
   *
   * @param local the artifact's file, if it is there
   * @param cache where it is unpacked once
   * @param installed finds one on this machine, or {@code null}
   */
  static ServerProgram of(
      ServerArtifact artifact, Path local, Path cache, Supplier<@Nullable Path> installed) {
    Path home = home(artifact, cache);
    if (!isUnpacked(artifact, home)) {
      if (!Files.isRegularFile(local)) {
        Path program = installed.get();
        if (program == null) {
          throw new UnsupportedException(
              "%s: there is no %s on this machine: %s"
                  .formatted(artifact.engine(), artifact.title(), artifact.howToGet()));
        }
        return new ServerProgram(program, null);
      }
      unpack(artifact, local, cache, home);
    }
    return new ServerProgram(home.resolve(artifact.binary()), home);
  }

  /** Why a private store cannot be opened, or {@code null} if it can. */
  public static @Nullable String missing(
      ServerArtifact artifact, Supplier<@Nullable Path> installed) {
    boolean present =
        isUnpacked(artifact, home(artifact, cache()))
            || Files.isRegularFile(inLocalRepository(artifact))
            || installed.get() != null;
    return present
        ? null
        : "%s's server program is not on this machine: %s"
            .formatted(artifact.title(), artifact.howToGet());
  }

  // ---- the artifact

  private static boolean isForThisMachine() {
    return System.getProperty("os.name", "").equals("Linux")
        && System.getProperty("os.arch", "").equals("amd64");
  }

  /** Where the local Maven repository has it, if it is for this machine. */
  private static Path inLocalRepository(ServerArtifact artifact) {
    String local = System.getProperty("maven.repo.local", "");
    Path repository =
        local.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".m2", "repository")
            : Path.of(local);
    return isForThisMachine() ? repository.resolve(artifact.path()) : Path.of("");
  }

  private static Path cache() {
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    return (cache.isEmpty()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(cache))
        .resolve("kv-stadium");
  }

  private static Path home(ServerArtifact artifact, Path cache) {
    return cache.resolve(artifact.engine() + "-" + artifact.version());
  }

  private static boolean isUnpacked(ServerArtifact artifact, Path home) {
    return Files.isExecutable(home.resolve(artifact.binary())); // the folder appears as a whole
  }

  /** If two do this at once, both are as good. */
  private static void unpack(ServerArtifact artifact, Path file, Path cache, Path home) {
    Path part = null;
    try {
      Files.createDirectories(cache);
      if (NativeCode.isNoexec(cache)) {
        throw new UnsupportedException(
            ("%s: %s's server program cannot run in %s, which is mounted noexec: set"
                    + " $XDG_CACHE_HOME to another directory, or name an installed server with"
                    + " server=PATH")
                .formatted(artifact.engine(), artifact.title(), cache));
      }
      part = Files.createTempDirectory(cache, "." + artifact.engine() + "-");
      Path unpacked = part.resolve("unpacked");
      artifact.unpacking().unpack(file, unpacked);
      if (!unpacked.resolve(artifact.binary()).toFile().setExecutable(true)) {
        throw new IOException(unpacked.resolve(artifact.binary()) + " cannot be made executable");
      }
      try {
        Files.move(unpacked, home, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (!isUnpacked(artifact, home)) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "%s: %s's server program cannot be unpacked into %s (%s): make space and allow to write there, set $XDG_CACHE_HOME to another place, or remove a damaged artifact"
              .formatted(artifact.engine(), artifact.title(), home, e),
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

  // ---- an installed server

  /**
   * The first program of these names, in the folders of {@code $PATH} and then in others, which
   * says about its version what is expected; or {@code null}.
   *
   * @param version a regular expression for a part of what {@code --version} prints
   */
  public static @Nullable Path installed(
      List<String> names, Stream<String> folders, String version) {
    List<String> all =
        Stream.concat(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .filter(folder -> !folder.isEmpty()),
                folders)
            .toList();
    return find(names, all, version);
  }

  static @Nullable Path find(List<String> names, List<String> folders, String version) {
    for (String name : names) {
      for (String folder : folders) {
        try {
          Path program = Path.of(folder, name);
          if (Files.isExecutable(program)
              && Files.isRegularFile(program)
              && saysVersion(program).matches("(?s).*(" + version + ").*")) {
            return program;
          }
        } catch (InvalidPathException _) {
          // an odd entry of $PATH
        }
      }
    }
    return null;
  }

  /** What a program says that it is; empty if it does not run. */
  public static String saysVersion(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return "";
    }
  }
}
