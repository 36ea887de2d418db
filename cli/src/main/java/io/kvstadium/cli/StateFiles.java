package io.kvstadium.cli;

import java.nio.file.Path;

/** What the command remembers from run to run, of this user. */
final class StateFiles {
  private StateFiles() {}

  /** The file or directory of this name, which may not be there, nor the one above it. */
  static Path path(String name) {
    String state = System.getenv("XDG_STATE_HOME");
    return (state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state))
        .resolve("kv-stadium")
        .resolve(name);
  }
}
