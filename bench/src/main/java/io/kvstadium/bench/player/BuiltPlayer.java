package io.kvstadium.bench.player;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A player that comes with this program as source, and is built with the user's own toolchain when
 * it is first used.
 *
 * @param language that it is for
 * @param engines that it has, without the null engine
 * @param sources its files
 * @param tool that builds it
 */
public record BuiltPlayer(String language, List<String> engines, List<String> sources, Tool tool) {
  private static final Pattern VERSION = Pattern.compile("1\\.([0-9]+)(\\.[0-9]+)?");
  private static final int LINES_SHOWN = 5;
  private static final int NAME_BYTES = 6;

  /** The player for Go. */
  public static final BuiltPlayer GO =
      new BuiltPlayer(
          "go",
          List.of("badger", "bbolt", "goleveldb", "pebble"),
          List.of(
              "go.mod",
              "go.sum",
              "badger.go",
              "badger_load.go",
              "bbolt.go",
              "goleveldb.go",
              "main.go",
              "null.go",
              "pebble.go",
              "play.go",
              "store.go",
              "trace.go",
              "usage.go",
              "usage_other.go",
              "usage_unix.go"),
          new Tool(
              "go",
              25,
              "https://go.dev/dl",
              "version",
              List.of("build", "-trimpath", "-buildvcs=false", "-o", "player", "."),
              "player"));

  /** The player for Rust. */
  public static final BuiltPlayer RUST =
      new BuiltPlayer(
          "rust",
          List.of("fjall", "lmdb", "redb", "sled"),
          List.of(
              "Cargo.toml",
              "Cargo.lock",
              "src/fjall_store.rs",
              "src/lmdb_store.rs",
              "src/main.rs",
              "src/null_store.rs",
              "src/play.rs",
              "src/redb_store.rs",
              "src/sled_store.rs",
              "src/store.rs",
              "src/trace.rs"),
          new Tool(
              "cargo",
              90,
              "https://rustup.rs",
              "--version",
              List.of("build", "--release", "--locked", "--target-dir", "target"),
              "target/release/player"));

  /** All that there are. */
  public static final List<BuiltPlayer> ALL = List.of(GO, RUST);

  /**
   * What builds a player.
   *
   * @param minor the oldest version that can: 1.{@code minor}
   * @param home where it can be had
   * @param version the argument with which it says its version
   * @param build its arguments, where the sources are
   * @param program what it makes of them
   */
  public record Tool(
      String name, int minor, String home, String version, List<String> build, String program) {
    public Tool {
      build = List.copyOf(build);
    }

    List<String> building() {
      return Stream.concat(Stream.of(name), build.stream()).toList();
    }
  }

  /**
   * The player, ready to run trials; builds it if that was not done before.
   *
   * @param say receives what a user should know of that, if it takes a while
   * @throws BadArgumentException if it cannot be built here
   */
  public PlayerProgram player(Consumer<String> say) {
    return player(cache(), say);
  }

  /**
   * The same in another place.
   *
   * @param folder for players
   */
  public PlayerProgram player(Path folder, Consumer<String> say) {
    try {
      Path program = folder.resolve(language + "-" + checksum()).resolve("player");
      if (!Files.isExecutable(program)) {
        build(program, say);
      }
      return PlayerProgram.of(List.of(program.toString()));
    } catch (IOException e) {
      throw new StoreIoException(
          "the player for " + language + " cannot be built in " + folder + " (" + e + ")", e);
    }
  }

  /** Where players are. */
  private static Path cache() {
    String named = System.getenv("XDG_CACHE_HOME");
    Path caches =
        named == null || named.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(named);
    return caches.resolve("kv-stadium").resolve("players").toAbsolutePath();
  }

  private byte[] source(String name) throws IOException {
    try (InputStream in = BuiltPlayer.class.getResourceAsStream(language + "/" + name)) {
      return Objects.requireNonNull(in, "the program has no " + name).readAllBytes();
    }
  }

  /** Of its sources: another version is another player. */
  private String checksum() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String each : sources) {
        digest.update(source(each));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private void build(Path program, Consumer<String> say) throws IOException {
    Path folder = Files.createTempDirectory("stadium-" + language);
    try {
      for (String each : sources) {
        Path file = folder.resolve(each);
        Files.createDirectories(file.getParent());
        Files.write(file, source(each));
      }
      String version = requireTool(folder);
      say.accept(
          ("Building the player for %s, which has %s, with %s: once, to %s."
                  + " At first its libraries are downloaded, which takes some minutes.")
              .formatted(language, String.join(", ", engines), version, program));
      String failure = run(folder, tool.building());
      if (failure != null) {
        throw new BadArgumentException(
            "the player for %s cannot be built with %s: %s".formatted(language, version, failure));
      }
      Files.createDirectories(program.getParent());
      Path beside = program.resolveSibling("player." + ProcessHandle.current().pid());
      Files.copy(folder.resolve(tool.program()), beside, StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(beside, program, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      FileTrees.remove(folder);
    }
  }

  /** The version of the tool that builds the sources in a folder, which may be a newer one. */
  private String requireTool(Path folder) throws IOException {
    String said;
    try {
      Process process =
          new ProcessBuilder(tool.name(), tool.version())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      said = text(process).strip();
    } catch (IOException e) {
      throw new BadArgumentException(
          "--language %s: there is no program '%s' on the path: install it (%s), version 1.%d or newer"
              .formatted(language, tool.name(), tool.home(), tool.minor()),
          e);
    }
    Matcher version = VERSION.matcher(said);
    if (!version.find() || Integer.parseInt(version.group(1)) < tool.minor()) {
      throw new BadArgumentException(
          "--language %s: '%s %s' says '%s', and the player needs 1.%d or newer: see %s"
              .formatted(language, tool.name(), tool.version(), said, tool.minor(), tool.home()));
    }
    return tool.name() + " " + version.group();
  }

  /** The last lines that a command printed, if it failed. */
  private static @Nullable String run(Path folder, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> lines = text(process).lines().toList();
    try {
      return process.waitFor() == 0
          ? null
          : String.join(
              " | ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return "it was interrupted";
    }
  }

  private static String text(Process process) throws IOException {
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
