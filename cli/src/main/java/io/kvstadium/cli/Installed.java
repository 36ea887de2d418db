package io.kvstadium.cli;

import io.kvstadium.bench.trial.TrialMain;
import io.kvstadium.store.Engines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The engines that this installation of Stadium has. */
final class Installed {
  /** Set by the launcher: the folder of the distribution. */
  private static final String HOME = "stadium.home";

  private Installed() {}

  /** Those in the distribution's folder, or without one those on the class path. */
  static Engines engines() {
    String home = System.getProperty(HOME);
    if (home != null && System.getProperty(TrialMain.ENGINES) == null) {
      Path folder = Path.of(home, "engines");
      if (Files.isDirectory(folder)) {
        System.setProperty(TrialMain.ENGINES, folder.toString());
      }
    }
    return TrialMain.engines();
  }

  /** The folder of engines, to be handed on to trials, or {@code null}. */
  static @Nullable String folder() {
    return System.getProperty(TrialMain.ENGINES);
  }
}
