package io.kvstadium.bench.player;

import io.kvstadium.bench.trial.Message;
import java.io.Serial;
import java.util.Map;

/** The process of another language that plays traces: it does one task after the other. */
public interface Player {
  /**
   * Does a task; see {@code docs/internals/player-protocol.md}.
   *
   * @throws EndedException if the process has ended instead
   */
  Message.Played does(Map<String, ?> task);

  /** The number of the process. */
  long pid();

  /** The process has ended before it had done everything. */
  final class EndedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public EndedException() {
      super("the player has ended");
    }
  }
}
