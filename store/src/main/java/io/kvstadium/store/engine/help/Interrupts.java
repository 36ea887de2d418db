package io.kvstadium.store.engine.help;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls on the caller's thread that an interrupt does not end. Where it would do harm inside a
 * call, see {@link OwnThread}.
 */
public final class Interrupts {
  private Interrupts() {}

  /** Makes a call; an interrupt that is pending before it shows at its end. */
  public static <R extends @Nullable Object, E extends Exception> R deferred(
      OwnThread.Section<R, E> call) throws E {
    return deferred(call, _ -> false);
  }

  /**
   * Makes a call again as long as interrupts end it; they show at its end.
   *
   * @param isInterrupt whether the call failed because of an interrupt, and has done nothing
   */
  public static <R extends @Nullable Object, E extends Exception> R deferred(
      OwnThread.Section<R, E> call, Predicate<Exception> isInterrupt) throws E {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return call.run();
        } catch (Exception e) {
          if (!isInterrupt.test(e)) {
            throw e;
          }
          interrupted = true;
          Thread.interrupted(); // or the next attempt would end at once
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
