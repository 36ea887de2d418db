package io.kvstadium.bench.trial;

import io.kvstadium.store.Engines;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The engines of a trial's process, and of the command that starts it. */
public final class TrialEngines {
  /**
   * System property that names the folders of engines, separated as in a class path; without it
   * they are on the class path.
   */
  public static final String FOLDERS = "stadium.engines";

  private TrialEngines() {}

  /** The engines of this process: in the folders that the property names, or on the class path. */
  public static Engines engines() {
    String folders = System.getProperty(FOLDERS);
    return folders == null ? Engines.installed() : in(folders);
  }

  /** The engines in folders, separated as in a class path. */
  public static Engines in(String folders) {
    return Engines.inFolders(Stream.of(folders.split(File.pathSeparator)).map(Path::of).toList());
  }
}
