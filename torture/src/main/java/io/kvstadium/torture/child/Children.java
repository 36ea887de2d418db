package io.kvstadium.torture.child;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Starts the processes that use a store. */
public interface Children {
  /** What a process does with the store. */
  enum Role {
    /** It writes until it is told to close the store, or dies. */
    WRITER,
    /** It reads what a fault left. */
    CHECKER
  }

  /**
   * Starts one.
   *
   * @param home for its log and its temporary files
   * @param prefix words before the command
   * @param start for each writer, the operation to begin with
   */
  Child start(Path home, List<String> prefix, Role role, WorkerArguments arguments, long[] start)
      throws IOException;

  /** Whether a writer whose call has failed can do no more, so that a full disk is its end. */
  boolean endAtErrors();
}
