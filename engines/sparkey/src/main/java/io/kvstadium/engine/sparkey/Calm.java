package io.kvstadium.engine.sparkey;

import io.kvstadium.store.spi.OwnThread;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Runs what maps files on threads that nobody interrupts: it would close the file half-way. */
final class Calm {
  private Calm() {}

  /** Something to do with files. */
  @FunctionalInterface
  interface Call<R> {
    R run() throws IOException;
  }

  /** The same without a result. */
  @FunctionalInterface
  interface Task {
    void run() throws IOException;
  }

  static <R> R call(Call<R> call) throws IOException {
    try {
      return OwnThread.once("sparkey", () -> unchecked(call));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  static void run(Task task) throws IOException {
    call(() -> {
      task.run();
      return true;
    });
  }

  private static <R> R unchecked(Call<R> call) {
    try {
      return call.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
