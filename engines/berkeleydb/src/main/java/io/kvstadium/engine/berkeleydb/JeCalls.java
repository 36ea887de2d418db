package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.EnvironmentFailureException;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.LogWriteException;
import com.sleepycat.je.VersionMismatchException;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.OwnThread;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls JE, and says its errors in the library's words. JE makes its environment invalid when an
 * interrupt meets a thread at one of its many latches.
 *
 * @param path for messages
 * @param threads which nobody interrupts
 * @param shielded whether they make all calls, rather than only those that take long anyhow
 */
record JeCalls(Path path, OwnThread threads, boolean shielded) {
  <R extends @Nullable Object> R get(Supplier<R> call) {
    return shielded ? calmly(call) : here(call);
  }

  /** On a thread that nobody interrupts. */
  <R extends @Nullable Object> R calmly(Supplier<R> call) {
    return threads.call(() -> here(call));
  }

  /** An interrupt that is pending at the call waits for its end. */
  private <R extends @Nullable Object> R here(Supplier<R> call) {
    boolean interrupted = Thread.interrupted();
    try {
      return call.get();
    } catch (DatabaseException | IllegalArgumentException e) {
      throw failure(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void run(Runnable call) {
    this.<@Nullable Object>get(() -> {
      call.run();
      return null;
    });
  }

  void runCalmly(Runnable call) {
    this.<@Nullable Object>calmly(() -> {
      call.run();
      return null;
    });
  }

  private StadiumException failure(RuntimeException error) {
    String said = error.getMessage();
    return switch (error) {
      case LockConflictException e ->
          new ConflictException(text("another transaction kept a lock: try again: " + said), e);
      case DiskLimitException e ->
          new FullException(text("too little free disk: make room or lower free_disk"), e);
      case EnvironmentLockedException e ->
          new LockedException(text("another process has it open: close it there: " + said), e);
      case VersionMismatchException e ->
          new CorruptException(
              text("a newer version of JE wrote the files: open it with that one: " + said), e);
      case LogWriteException e when String.valueOf(said).contains("No space left") ->
          new FullException(text("the disk is full: make room, then open it again"), e);
      case EnvironmentFailureException e ->
          switch (e.getReason()) {
            case LOG_CHECKSUM,
                LOG_INTEGRITY,
                LOG_INCOMPLETE,
                LOG_FILE_NOT_FOUND,
                LOG_UNEXPECTED_FILE_DELETION,
                FOUND_COMMITTED_TXN,
                BTREE_CORRUPTION ->
                new CorruptException(text("damaged files: restore a backup: " + said), e);
            default ->
                new StoreIoException(text("JE gave up: close it and open it again: " + said), e);
          };
      case IllegalArgumentException e -> new BadArgumentException(text("JE refused: " + said), e);
      default -> new StadiumException(text(String.valueOf(said)), error);
    };
  }

  private String text(String what) {
    return place() + ": " + what;
  }

  /** The store, for messages. */
  String place() {
    return "engine berkeleydb, " + path;
  }
}
