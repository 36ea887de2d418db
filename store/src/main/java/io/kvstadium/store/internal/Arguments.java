package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import org.jspecify.annotations.Nullable;

/** Refuses what a caller left out. */
public final class Arguments {
  private Arguments() {}

  /**
   * Returns the argument.
   *
   * @param where for the message: the object that was called, or the method
   * @param what for the message: the argument's name
   * @throws BadArgumentException if it is null
   */
  public static <A> A given(Object where, String what, @Nullable A argument) {
    if (argument == null) {
      throw Callee.failed(
          where, new BadArgumentException(where + ": the " + what + " is null: give one"));
    }
    return argument;
  }
}
