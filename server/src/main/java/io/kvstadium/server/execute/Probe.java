package io.kvstadium.server.execute;

import io.kvstadium.store.Capability;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tries whether a server can do its work: whether entries may be added, and a write succeeds. */
public final class Probe implements Task {
  /** With space for less than this many bytes, a server is of no use to those who add. */
  private static final long USEFUL = 64 << 10;

  private final Executor executor;
  private final Consumer<@Nullable RuntimeException> teller;
  private @Nullable RuntimeException failure;

  private Probe(Executor executor, Consumer<@Nullable RuntimeException> teller) {
    this.executor = executor;
    this.teller = teller;
  }

  /**
   * Tries it; the answer comes from another thread.
   *
   * @param teller receives what failed, or {@code null}
   */
  public static void attempt(Executor executor, Consumer<@Nullable RuntimeException> teller) {
    executor.write(new Probe(executor, teller));
  }

  @Override
  public void execute(CommitGroup commitGroup) {
    try {
      byte[] nobodysKey = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
      ReadView table = commitGroup.view(executor.store().table());
      if (executor.store().capabilities().contains(Capability.WRITE)) {
        commitGroup.requireSpace(USEFUL, System.nanoTime());
        table.writable().delete(nobodysKey);
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
