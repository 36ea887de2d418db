package io.kvstadium.engine.mapdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mapdb.DBException;

/**
 * Calls MapDB, and says its errors in the library's words.
 *
 * @param path for messages
 */
record MapDbCalls(Path path) {
  <R extends @Nullable Object> R get(Supplier<R> call) {
    try {
      return call.get();
    } catch (StadiumException e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw failure(e);
    }
  }

  void run(Runnable call) {
    this.<@Nullable Object>get(() -> {
      call.run();
      return null;
    });
  }

  /** On damaged files MapDB throws whatever it stumbles over. */
  private StadiumException failure(Throwable error) {
    return switch (error) {
      case DBException.FileLocked e ->
          new LockedException(text("another process has it open: close it there", e), e);
      case DBException.WrongConfiguration e ->
          new BadArgumentException(text("it was made with other options", e), e);
      case DBException.VolumeIOError e
          when e instanceof DBException.VolumeEOF || e.getCause() instanceof EOFException ->
          new CorruptException(text("cut off: restore a backup", e), e);
      case DBException.VolumeIOError e
          when e.getCause() instanceof IOException io
              && String.valueOf(io.getMessage()).contains("No space left") ->
          new FullException(text("the disk is full: make room", io), e);
      case DBException.VolumeIOError e ->
          new StoreIoException(text("reading or writing failed: reopen the store", e), e);
      default ->
          new CorruptException(
              text("damaged, or not closed before the process ended: restore a backup", error),
              error);
    };
  }

  private String text(String what, Throwable error) {
    return "engine mapdb, " + path + ": " + what + " (" + error + ")";
  }
}
