package io.kvstadium.cli.io;

import java.nio.file.Path;

/** The files in which the command remembers things from run to run, per user. */
public final class StateFiles {
  private StateFiles() {}

  /** The file or directory of this name; neither it nor its parent need exist. */
  public static Path path(String name) {
    String state = System.getenv("XDG_STATE_HOME");
    return (state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state))
        .resolve("kv-stadium")
        .resolve(name);
  }
}
