package io.kvstadium.cli.engines;

import io.kvstadium.bench.trial.TrialEngines;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.internal.Why;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The engines that a command can use: the distribution's and the user's own. */
public final class Installed {
  /** Set by the launcher: the folder of the distribution. */
  private static final String HOME = "stadium.home";

  private static final String PATH_VARIABLE = "STADIUM_ENGINE_PATH";

  @Option(
      names = "--engine-path",
      paramLabel = "DIRS",
      defaultValue = "${env:" + PATH_VARIABLE + "}",
      description =
          "Folders with more engines, as in a class path: a subfolder NAME with jars adds engine"
              + " NAME, or adds its jars to that engine. Or set "
              + PATH_VARIABLE
              + ".")
  private @Nullable String path;

  /**
   * Uses the folders of an earlier run if the user named none.
   *
   * @param folders as returned by {@link #folders}
   */
  public void useIfUnnamed(@Nullable String folders) {
    if (path == null || path.isEmpty()) {
      path = folders;
    }
  }

  /** The engines in folders, the user's first; without any folder, those on the class path. */
  public Engines engines() {
    String folders = folders();
    if (folders != null) {
      System.setProperty(TrialEngines.FOLDERS, folders);
    }
    return TrialEngines.engines();
  }

  /** The folders of engines, to pass on to trials, or {@code null}. */
  public @Nullable String folders() {
    return list().isEmpty() ? null : joined(list());
  }

  private List<Path> list() {
    return list("--engine-path (or " + PATH_VARIABLE + ")", named().orElse(""));
  }

  /**
   * The folders of engines of other versions: those that are named, then the distribution's.
   *
   * @param option that names them
   * @param named as in a class path
   * @throws BadArgumentException if one of them holds no engine
   */
  public static String folders(String option, String named) {
    return joined(list(option, named));
  }

  private static String joined(List<Path> folders) {
    return folders.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static List<Path> list(String option, String named) {
    List<Path> folders = new ArrayList<>();
    for (String folder : named.isEmpty() ? new String[0] : named.split(File.pathSeparator)) {
      folders.add(checked(option, Path.of(folder)).toAbsolutePath());
    }
    Path own = inHome("engines");
    if (own != null) {
      folders.add(own);
    }
    return folders.stream().distinct().toList();
  }

  /** Checks a folder that the user named: it must hold an engine. */
  private static Path checked(String named, Path folder) {
    String option = named + ": " + folder;
    if (!Files.isDirectory(folder)) {
      throw new BadArgumentException(
          option + " is not a directory: name folders whose subfolders each hold an engine's jars");
    }
    if (files(folder).stream().allMatch(sub -> jarsIn(sub).isEmpty())) {
      throw new BadArgumentException(
          option
              + (jarsIn(folder).isEmpty()
                  ? " holds no engine: an engine NAME is a subfolder NAME with its jars, such as "
                      + folder.resolve("NAME").resolve("engine.jar")
                  : " holds jars itself: name the folder above it, if this one has the engine's"
                      + " name, or put the jars into a subfolder of that name"));
    }
    return folder;
  }

  /** Whether an engine has the same jars in other folders, in the same order. */
  public boolean isSame(String engine, String others) {
    List<Path> own = jars(engine);
    List<Path> theirs =
        Stream.of(others.split(File.pathSeparator))
            .flatMap(folder -> jarsIn(Path.of(folder, engine)).stream())
            .toList();
    return own.size() == theirs.size()
        && IntStream.range(0, own.size()).allMatch(i -> isSame(own.get(i), theirs.get(i)));
  }

  private static boolean isSame(Path jar, Path other) {
    try {
      return jar.equals(other) || Files.mismatch(jar, other) < 0;
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot read " + jar + " or " + other + " (" + Why.of(e) + ")", e);
    }
  }

  /** What the user gave as {@code --engine-path}. */
  public Optional<String> named() {
    return Optional.ofNullable(path).filter(given -> !given.isEmpty());
  }

  /** The folder with the conformance tests, or {@code null} if they are on the class path. */
  public @Nullable Path conformanceTests() {
    return inHome("check");
  }

  /** A folder of the distribution, or {@code null} if there is none. */
  public static @Nullable Path inHome(String name) {
    String home = System.getProperty(HOME);
    Path folder = home == null ? null : Path.of(home, name);
    return folder != null && Files.isDirectory(folder) ? folder : null;
  }

  /** The jars of an engine in the order of its class path; none if it is on this program's own. */
  public List<Path> jars(String engine) {
    return list().stream().flatMap(folder -> jarsIn(folder.resolve(engine)).stream()).toList();
  }

  /**
   * Returns whether the engine is part of the distribution and the user has added no jars to it.
   */
  public boolean isOwn(String engine) {
    Path own = inHome("engines");
    return jars(engine).stream().allMatch(jar -> own != null && jar.startsWith(own))
        && (own == null || KnownEngines.names().contains(engine));
  }

  /** Knows which engines passed the conformance tests. */
  public Verified verified() {
    return new Verified(this);
  }

  /** The jars in a folder by name, none if it does not exist. */
  public static List<Path> jarsIn(Path folder) {
    return Files.isDirectory(folder)
        ? files(folder).stream().filter(file -> file.toString().endsWith(".jar")).toList()
        : List.of();
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new BadArgumentException("cannot list " + folder + " (" + Why.of(e) + ")", e);
    }
  }
}
