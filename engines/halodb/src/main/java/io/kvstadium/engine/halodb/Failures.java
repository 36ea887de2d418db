package io.kvstadium.engine.halodb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;

/** Says HaloDB's errors in the library's words. */
record Failures(Path directory) {
  /** For what opening met. */
  RuntimeException opening(Throwable error) {
    if (error instanceof StadiumException known) {
      return known;
    }
    Throwable inner = error instanceof InvocationTargetException ? error.getCause() : null;
    Throwable cause = inner == null ? error : inner;
    String text = chain(cause);
    if (text.contains("already holds a lock")) {
      return new LockedException(
          say("is open elsewhere", text, "close it there, or use another directory"), cause);
    }
    if (cause instanceof IllegalArgumentException) {
      return new BadArgumentException(
          say("refuses an option", text, "give it the value with which the store was made"), cause);
    }
    if (cause instanceof RuntimeException) {
      return new CorruptException(
          say("cannot be repaired", text, "restore it from a backup"), cause);
    }
    return using(cause);
  }

  /** For what any other call met. */
  RuntimeException using(Throwable error) {
    if (error instanceof StadiumException known) {
      return known;
    }
    if (error instanceof Error fatal) {
      throw fatal;
    }
    String text = chain(error);
    if (text.contains("No space left") || text.contains("quota")) {
      return new FullException(
          say("has no room", text, "free space on its disk and open it again"), error);
    }
    return new StoreIoException(
        say("failed", text, "check the disk, and that no thread was interrupted; open it again"),
        error);
  }

  /** For what synchronizing met. */
  StoreIoException flushing(IOException error) {
    return new StoreIoException(
        say("cannot be flushed", error.toString(), "check the disk and open it again"), error);
  }

  private static String chain(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = error; each != null; each = each.getCause()) {
      text.append(text.isEmpty() ? "" : ", caused by ").append(each);
    }
    return text.toString();
  }

  private String say(String what, String error, String advice) {
    return "engine halodb: " + directory + " " + what + " (" + error + "): " + advice;
  }
}
