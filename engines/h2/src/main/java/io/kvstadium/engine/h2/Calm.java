package io.kvstadium.engine.h2;

import io.kvstadium.store.spi.OwnThread;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Calls to H2 on threads that nobody interrupts. */
final class Calm {
  private Calm() {}

  /** A call. */
  @FunctionalInterface
  interface Call<R> {
    @Nullable R run() throws SQLException;
  }

  private record Outcome<R>(@Nullable R result, @Nullable SQLException failure) {}

  static <R> @Nullable R once(Call<R> call) throws SQLException {
    try (OwnThread thread = new OwnThread("h2-waiter")) {
      return on(thread, call);
    }
  }

  static <R> @Nullable R on(OwnThread thread, Call<R> call) throws SQLException {
    Outcome<R> outcome = thread.call(() -> outcome(call));
    if (outcome.failure != null) {
      throw outcome.failure;
    }
    return outcome.result;
  }

  private static <R> Outcome<R> outcome(Call<R> call) {
    try {
      return new Outcome<>(call.run(), null);
    } catch (SQLException e) {
      return new Outcome<>(null, e);
    }
  }
}
