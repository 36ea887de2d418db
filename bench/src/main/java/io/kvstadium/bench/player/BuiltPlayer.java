package io.kvstadium.bench.player;

import io.kvstadium.bench.trial.EngineDeclaration;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A player that comes with this program as source, and is built with the user's own toolchain when
 * it is first used.
 *
 * @param language that it is for
 * @param engines that it has, without the null engine
 * @param sources its files
 * @param tools that must be there
 * @param build the command that builds it, where the sources are
 * @param program what it makes of them
 */
public record BuiltPlayer(
    String language,
    List<String> engines,
    List<String> sources,
    List<Tool> tools,
    List<String> build,
    String program) {
  private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+)(\\.[0-9]+)?");
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
          List.of(new Tool("go", "version", 1, 25, "https://go.dev/dl")),
          List.of("go", "build", "-trimpath", "-buildvcs=false", "-o", "player", "."),
          "player");

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
          List.of(new Tool("cargo", "--version", 1, 90, "https://rustup.rs")),
          List.of("cargo", "build", "--release", "--locked", "--target-dir", "target"),
          "target/release/player");

  /** The player for C. */
  public static final BuiltPlayer C =
      new BuiltPlayer(
          "c",
          List.of("leveldb", "lmdb", "rocksdb"),
          List.of(
              "Makefile",
              "src/json.c",
              "src/json.h",
              "src/leveldb_calls.h",
              "src/leveldb_store.c",
              "src/lmdb_store.c",
              "src/main.c",
              "src/null_store.c",
              "src/play.c",
              "src/play.h",
              "src/rocksdb_store.c",
              "src/store.c",
              "src/store.h",
              "src/trace.c",
              "src/trace.h"),
          List.of(
              new Tool("make", "--version", 3, 82, "Debian's package build-essential"),
              new Tool("cc", "--version", 5, 0, "Debian's package build-essential")),
          List.of("make", "-s", "player"),
          "player");

  /** All that there are. */
  public static final List<BuiltPlayer> ALL = List.of(C, GO, RUST);

  public BuiltPlayer {
    engines = List.copyOf(engines);
    sources = List.copyOf(sources);
    tools = List.copyOf(tools);
    build = List.copyOf(build);
  }

  /**
   * A program that is needed to build a player.
   *
   * @param version the argument with which it says its version
   * @param major of the oldest version that can
   * @param minor of that
   * @param source where it can be had
   */
  public record Tool(String name, String version, int major, int minor, String source) {
    private boolean isNewerThan(Matcher version) {
      int found = Integer.parseInt(version.group(1));
      return found < major || (found == major && Integer.parseInt(version.group(2)) < minor);
    }

    private String oldest() {
      return major + "." + minor + " or newer";
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
      boolean builds = !Files.isExecutable(program);
      if (builds) {
        build(program, say);
      }
      PlayerProgram player = PlayerProgram.of(List.of(program.toString()));
      for (EngineDeclaration each : player.hello().engines()) {
        if (builds && each.unavailable() != null) {
          say.accept("without " + each.name() + ": " + each.unavailable());
        }
      }
      return player;
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
      List<String> found = new ArrayList<>();
      for (Tool each : tools) {
        found.add(require(each, folder));
      }
      String version = String.join(" and ", found);
      say.accept(
          ("Building the player for %s, which has %s, with %s: once, to %s."
                  + " It takes some minutes if libraries must be downloaded.")
              .formatted(language, String.join(", ", engines), version, program));
      String failure = run(folder, build);
      if (failure != null) {
        throw new BadArgumentException(
            "the player for %s cannot be built with %s: %s".formatted(language, version, failure));
      }
      Files.createDirectories(program.getParent());
      Path beside = program.resolveSibling("player." + ProcessHandle.current().pid());
      Files.copy(folder.resolve(this.program), beside, StandardCopyOption.COPY_ATTRIBUTES);
      Files.move(beside, program, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      FileTrees.remove(folder);
    }
  }

  /** The version of a tool that builds the sources in a folder, which may be a newer one. */
  private String require(Tool tool, Path folder) throws IOException {
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
          "--language %s: there is no program '%s' on the path: install it (%s), version %s"
              .formatted(language, tool.name(), tool.source(), tool.oldest()),
          e);
    }
    Matcher version = VERSION.matcher(said);
    if (!version.find() || tool.isNewerThan(version)) {
      throw new BadArgumentException(
          "--language %s: '%s %s' says '%s', and the player needs %s: see %s"
              .formatted(
                  language, tool.name(), tool.version(), said, tool.oldest(), tool.source()));
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
