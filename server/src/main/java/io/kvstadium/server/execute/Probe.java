package io.kvstadium.server.execute;

import io.kvstadium.store.Capability;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tries whether a server can do its work: whether entries may be added, and a write succeeds. */
public final class Probe implements Work {
  /** With space for less than this many bytes, a server is of no use to those who add. */
  private static final long USEFUL = 64 << 10;

  private final Rounds rounds;
  private final Consumer<@Nullable RuntimeException> teller;
  private @Nullable RuntimeException failure;

  private Probe(Rounds rounds, Consumer<@Nullable RuntimeException> teller) {
    this.rounds = rounds;
    this.teller = teller;
  }

  /**
   * Tries it; the answer comes from another thread.
   *
   * @param teller receives what failed, or {@code null}
   */
  public static void attempt(Rounds rounds, Consumer<@Nullable RuntimeException> teller) {
    rounds.write(new Probe(rounds, teller));
  }

  @Override
  public void execute(Round round) {
    try {
      byte[] nobodysKey = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
      Overlay table = round.on(rounds.store().table());
      if (rounds.store().capabilities().contains(Capability.WRITE)) {
        round.requireSpace(USEFUL, System.nanoTime());
        table.delete(nobodysKey);
      } else {
        table.get(nobodysKey);
      }
    } catch (RuntimeException e) { // must not fail what others write
      failure = e;
    }
  }

  @Override
  public void done() {
    teller.accept(failure);
  }

  @Override
  public void failed(RuntimeException cause) {
    teller.accept(cause);
  }
}
