package io.kvstadium.cli;

import io.kvstadium.bench.trial.TrialMain;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The engines that a command can use: the distribution's and the user's own. */
final class Installed {
  /** Set by the launcher: the folder of the distribution. */
  private static final String HOME = "stadium.home";

  private static final String PATH_VARIABLE = "STADIUM_ENGINE_PATH";

  @Option(
      names = "--engine-path",
      paramLabel = "DIRS",
      defaultValue = "${env:" + PATH_VARIABLE + "}",
      description =
          "Folders with more engines, as in a class path: a sub-folder NAME with jars adds engine"
              + " NAME, or its jars to that engine. Or set "
              + PATH_VARIABLE
              + ".")
  private @Nullable String path;

  /**
   * Where the user names no folders: those that an earlier run had.
   *
   * @param folders as {@link #folders} gave them
   */
  void useIfUnnamed(@Nullable String folders) {
    if (path == null || path.isEmpty()) {
      path = folders;
    }
  }

  /** Those in folders, the user's first; without any folder those on the class path. */
  Engines engines() {
    String folders = folders();
    if (folders != null) {
      System.setProperty(TrialMain.ENGINES, folders);
    }
    return TrialMain.engines();
  }

  /** The folders of engines, to be handed on to trials, or {@code null}. */
  @Nullable String folders() {
    List<Path> folders = new ArrayList<>();
    if (path != null && !path.isEmpty()) {
      for (String folder : path.split(File.pathSeparator)) {
        if (!Files.isDirectory(Path.of(folder))) {
          throw new BadArgumentException(
              "--engine-path (or "
                  + PATH_VARIABLE
                  + "): "
                  + folder
                  + " is no directory: name folders whose sub-folders hold an engine's jars each");
        }
        folders.add(Path.of(folder).toAbsolutePath());
      }
    }
    String home = System.getProperty(HOME);
    if (home != null) {
      Path own = Path.of(home, "engines");
      if (Files.isDirectory(own)) {
        folders.add(own);
      }
    }
    return folders.isEmpty()
        ? null
        : folders.stream()
            .distinct()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
  }
}
