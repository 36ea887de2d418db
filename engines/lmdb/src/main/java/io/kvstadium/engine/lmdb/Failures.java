package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.nio.file.Path;
import java.util.Set;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;

/**
 * Says LMDB's errors in the library's words.
 *
 * @param path for messages
 */
record Failures(Path path) {
  // of Linux, macOS and Windows' C library alike, except for the quota
  private static final int ENOENT = 2;
  private static final int EIO = 5;
  private static final int ENOMEM = 12;
  private static final int EACCES = 13;
  private static final int EINVAL = 22;
  private static final int ENOSPC = 28;
  private static final int EROFS = 30;
  private static final int EDQUOT_MACOS = 69;
  private static final int EDQUOT = 122;

  private static final Set<Integer> FULL_DISK = Set.of(EIO, ENOSPC, EDQUOT, EDQUOT_MACOS);

  /** With less than this left, a failed write is taken for one that found no room. */
  private static final long NO_SPACE = 1 << 20;

  /** Whether the disk failed or has no room, so that what was flushed since is uncertain. */
  static boolean isFromDisk(RuntimeException failure) {
    return failure instanceof StoreIoException
        || (failure instanceof FullException
            && failure.getCause() instanceof LmdbNativeException e
            && FULL_DISK.contains(e.getResultCode()));
  }

  /** The fitting exception, or {@code error} itself if it is one of the library's already. */
  RuntimeException of(RuntimeException error) {
    return switch (error) {
      case StadiumException e -> e;
      case Env.MapFullException e ->
          new FullException(text("the map is full: open with a larger map_size"), e);
      case Dbi.DbFullException e ->
          new FullException(text("no more tables fit: open with a larger max_tables"), e);
      case Env.ReadersFullException e ->
          new FullException(
              text(
                  "the table of readers, which all processes share, is full: close cursors and"
                      + " snapshots, or have the first one open with a larger max_readers"),
              e);
      case Txn.TxFullException e ->
          new FullException(text("the batch or transaction changes too much: split it"), e);
      case Dbi.BadValueSizeException e ->
          new BadArgumentException(text("keys have 1 to 511 bytes and values less than 4 GiB"), e);
      case LmdbNativeException.PageCorruptedException e -> corrupt("a page is damaged", e);
      case LmdbNativeException.PageNotFoundException e -> corrupt("a page is missing", e);
      case LmdbNativeException.PageFullException e -> corrupt("a page is overfull", e);
      case Cursor.FullException e -> corrupt("the tree is deeper than it can be", e);
      case Env.FileInvalidException e -> corrupt("data.mdb is no LMDB file", e);
      case Env.VersionMismatchException e ->
          new CorruptException(
              text(
                  "data.mdb has another format version: copy it with the mdb_dump of the LMDB that"
                      + " wrote it and mdb_load of 0.9"),
              e);
      case Dbi.IncompatibleException e ->
          new BadArgumentException(
              text("it was made by another program with flags such as DUPSORT, or is no table"), e);
      case Dbi.MapResizedException e ->
          new StoreIoException(
              text(
                  "another process enlarged the map, and this one cannot follow while a cursor, a"
                      + " snapshot or a lent value is in use: close them, or open with a larger"
                      + " map_size"),
              e);
      case LmdbNativeException.PanicException e ->
          new StoreIoException(
              text("an earlier write of the file's head failed: close the store and open it again"),
              e);
      case LmdbNativeException e -> system(e);
      case LmdbException e -> new StadiumException(text(String.valueOf(e.getMessage())), e);
      default -> error;
    };
  }

  private StadiumException system(LmdbNativeException e) {
    return switch (e.getResultCode()) {
      case ENOSPC, EDQUOT, EDQUOT_MACOS -> noSpace(e);
      case ENOMEM ->
          new FullException(
              text(
                  "the system refused memory or address space: open with a smaller map_size, or raise"
                      + " the limit (ulimit -v)"),
              e);
      case EACCES, EROFS ->
          new StoreIoException(text("no permission: check the directory's owner and mode"), e);
      case ENOENT -> new StoreIoException(text("data.mdb is missing"), e);
      case EIO ->
          // LMDB's word for a write that ended early too, as it does where the disk ends
          path.toFile().getUsableSpace() < NO_SPACE
              ? noSpace(e)
              : new StoreIoException(
                  text(
                      "reading or writing failed: check the disk and quotas, then close the store and open it"
                          + " again"),
                  e);
      case EINVAL ->
          new StadiumException(
              text("LMDB refused an argument: if the file system has no mmap, move the store"), e);
      default -> new StoreIoException(text(String.valueOf(e.getMessage())), e);
    };
  }

  private FullException noSpace(Throwable cause) {
    return new FullException(
        text("the disk is full: make room, then close the store and open it again"), cause);
  }

  private CorruptException corrupt(String what, Throwable cause) {
    return new CorruptException(
        text(what + ": restore a backup, or save what is readable with mdb_dump"), cause);
  }

  private String text(String what) {
    return "engine lmdb, " + path + ": " + what;
  }
}
