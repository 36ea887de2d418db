package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Says what RocksDB's statuses mean to users of the library.
 *
 * @param engine its name, for messages
 * @param path where the store is
 */
record RocksDbErrors(String engine, Path path) {

  /** What a call on an open store failed with. */
  StadiumException of(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    String text = text(e);
    if (status == null) {
      return new StadiumException(where(text), e);
    }
    return switch (status.getCode()) {
      case Corruption ->
          new CorruptException(
              where(
                  text.contains("unsupported format_version")
                      ? "a file of a newer version, or damaged: "
                          + text
                          + "; open it with the version that wrote it, or restore it from a backup"
                      : "damaged data: " + text + "; restore it from a backup"),
              e);
      case Busy, TimedOut, TryAgain, Aborted, Expired ->
          new ConflictException(where("lost against another writer: " + text + "; try again"), e);
      case IOError -> ofInputOutput(text, status, e);
      case InvalidArgument -> new BadArgumentException(where("refused: " + text), e);
      default -> new StadiumException(where(text), e);
    };
  }

  /** What work on files beside RocksDB failed with. */
  StadiumException of(IOException e) {
    return ofInputOutput(e.toString(), null, e);
  }

  /** What an open failed with: a missing file then means that the store is damaged. */
  StadiumException ofOpen(RocksDBException e) {
    StadiumException error = of(e);
    if (error instanceof StoreIoException && isFileMissing(e)) {
      return new CorruptException(
          where("a file is missing: " + text(e) + "; restore it from a backup"), e);
    }
    return error;
  }

  /** Whether a reader beside a writer met a change in its middle, so that a second try may do. */
  static boolean isPassing(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    return isFileMissing(e)
        || (status != null && status.getCode() == Status.Code.TryAgain)
        || text(e).contains("Column family not found");
  }

  /** Whether a file was not where RocksDB expected it. */
  static boolean isFileMissing(RocksDBException e) {
    return text(e).contains("No such file");
  }

  private StadiumException ofInputOutput(String text, @Nullable Status status, Exception e) {
    if (text.contains("No space left") || isNoSpace(status)) {
      return new FullException(
          where("the disk is full: " + text + "; free space, then reopen the store"), e);
    }
    if (text.contains("lock") && text.contains("LOCK")) {
      return new LockedException(
          where("another process or handle has it open: " + text + "; close that one"), e);
    }
    return new StoreIoException(
        where("I/O error: " + text + "; check the disk, then reopen the store"), e);
  }

  private static boolean isNoSpace(@Nullable Status status) {
    return status != null && status.getSubCode() == Status.SubCode.NoSpace;
  }

  private String where(String text) {
    return place() + ": " + text;
  }

  /** The store, for messages. */
  String place() {
    return engine + " at " + path;
  }

  private static String text(RocksDBException e) {
    @Nullable Status status = e.getStatus();
    String code = status == null ? "" : status.getCodeString();
    String message = e.getMessage() == null ? "" : e.getMessage();
    return message.isEmpty() || message.equals(code) ? code : code + ": " + message;
  }
}
