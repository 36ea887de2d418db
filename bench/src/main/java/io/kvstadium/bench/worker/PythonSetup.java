package io.kvstadium.bench.worker;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds a Python, and unpacks the worker into the user's cache directory. */
public final class PythonSetup {
  private static final int MIN_MINOR = 11;

  /** In the order in which they are tried: the user's usual one first. */
  private static final List<String> NAMES =
      List.of("python3", "python3.13", "python3.12", "python3.11", "python3.14", "python");

  private static final String VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";

  private final Path cache;

  /**
   * @param cache where the worker is kept
   */
  public PythonSetup(Path cache) {
    this.cache = cache;
  }

  /** Returns our directory below the user's cache directory. */
  public static Path cache(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path root =
        xdg.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache") : Path.of(xdg);
    return root.resolve("kv-stadium");
  }

  /**
   * The worker, ready to run trials.
   *
   * @param own the user's interpreter, or the folder of its environment; {@code null} for one on
   *     the path
   * @throws BadArgumentException if there is none that works
   */
  public WorkerProgram worker(@Nullable Path own) {
    Path worker = unpacked();
    String python = own == null ? found() : checked(own);
    return WorkerProgram.of(List.of(python, worker.toString()));
  }

  /** What a command printed, and how it ended. */
  private record Ran(int exit, List<String> lines) {
    String last() {
      return lines.isEmpty() ? "it said nothing" : lines.getLast().strip();
    }
  }

  private static Ran run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ran(process.waitFor(), said.lines().filter(line -> !line.isBlank()).toList());
    } catch (IOException e) {
      return new Ran(-1, List.of(String.valueOf(e.getMessage()))); // there is no such program
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Ran(-1, List.of("interrupted"));
    }
  }

  /** Returns for example {@code 3.12}, or {@code null} if this is not a Python that starts. */
  private static @Nullable String version(String python) {
    Ran ran = run(python, "-c", VERSION);
    return ran.exit() == 0 && ran.last().matches("\\d+\\.\\d+") ? ran.last() : null;
  }

  private static boolean suits(@Nullable String version) {
    return version != null
        && version.startsWith("3.")
        && Integer.parseInt(version.substring(2)) >= MIN_MINOR;
  }

  private static String found() {
    return NAMES.stream()
        .filter(each -> suits(version(each)))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "no Python 3."
                    + MIN_MINOR
                    + " or newer was found: install one, or name it with --python"));
  }

  private static String checked(Path own) {
    String python = Files.isDirectory(own) ? interpreter(own).toString() : own.toString();
    String version = version(python);
    if (version == null) {
      throw new BadArgumentException(
          "--python "
              + own
              + " is not a Python that starts: give its path, or that of its environment");
    }
    if (!suits(version)) {
      throw new BadArgumentException(
          "--python "
              + own
              + " is Python "
              + version
              + ", and trials need 3."
              + MIN_MINOR
              + " or newer: give another one");
    }
    return python;
  }

  private static Path interpreter(Path environment) {
    Path windows = environment.resolve("Scripts").resolve("python.exe");
    return Files.exists(windows) ? windows : environment.resolve("bin").resolve("python");
  }

  /** The folder with the worker's sources, which are in a jar or among the classes. */
  private Path unpacked() {
    try {
      URL main = PythonSetup.class.getResource("python/__main__.py");
      if (main == null) {
        throw new IllegalStateException("the Python worker is missing from the program");
      }
      URI uri = main.toURI();
      if (!uri.getScheme().equals("jar")) {
        return unpacked(Path.of(uri).resolveSibling(""));
      }
      try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
        return unpacked(jar.provider().getPath(uri).resolveSibling(""));
      }
    } catch (URISyntaxException | IOException e) {
      throw new StoreIoException(
          "the Python worker cannot be unpacked to "
              + cache
              + " ("
              + e
              + "): make room there, or"
              + " set XDG_CACHE_HOME to another place",
          e);
    }
  }

  private Path unpacked(Path root) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    List<Path> found;
    try (Stream<Path> all = Files.walk(root)) {
      found = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : found) {
      files.put(root.relativize(file).toString(), Files.readAllBytes(file));
    }
    StringBuilder contents = new StringBuilder();
    files.forEach((name, bytes) -> contents.append(name).append(hash(bytes)));
    Path target =
        cache.resolve("worker-" + hash(contents.toString().getBytes(StandardCharsets.UTF_8)));
    if (Files.isDirectory(target)) {
      return target;
    }
    Path part = cache.resolve(target.getFileName() + ".part-" + ProcessHandle.current().pid());
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path to = part.resolve(file.getKey());
      Files.createDirectories(to.getParent());
      Files.write(to, file.getValue());
    }
    try {
      Files.move(part, target);
    } catch (IOException e) {
      remove(part);
      if (!Files.isDirectory(target)) { // another process may have been faster
        throw e;
      }
    }
    return target;
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void remove(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot remove " + directory + ": remove it by hand", e);
    }
  }
}
