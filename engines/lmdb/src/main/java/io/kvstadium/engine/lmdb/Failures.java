package io.kvstadium.engine.lmdb;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Blocks;
import io.kvstadium.store.spi.Failure.Kind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.LmdbException;
import org.lmdbjava.LmdbNativeException;
import org.lmdbjava.Txn;

/** What LMDB's errors mean. */
final class Failures {
  // the same on Linux, macOS and in Windows' C library, except for the quota
  static final int ENOMEM = 12;
  private static final int ENOENT = 2;
  private static final int EIO = 5;
  private static final int EACCES = 13;
  private static final int EINVAL = 22;
  private static final int ENOSPC = 28;
  private static final int EROFS = 30;
  private static final int EDQUOT_MACOS = 69;
  private static final int EDQUOT = 122;

  static final String LARGER_MAP =
      "open the store with a larger map_size (it costs address space only)";

  private Failures() {}

  /**
   * @param directory of the store
   */
  static @Nullable Failure of(Throwable thrown, Path directory) {
    return switch (thrown) {
      case Env.MapFullException _ -> new Failure(Kind.FULL, "the map is full", LARGER_MAP);
      case Dbi.DbFullException _ ->
          new Failure(Kind.FULL, "no more tables fit", "open with a larger max_tables");
      case Env.ReadersFullException _ ->
          new Failure(
              Kind.FULL,
              "the table of readers, which all processes share, is full",
              "close cursors and snapshots, or have the first one open with a larger max_readers");
      case Txn.TxFullException _ ->
          new Failure(Kind.FULL, "the batch or transaction changes too much", "split it");
      case Dbi.BadValueSizeException _ ->
          new Failure(
              Kind.ARGUMENT,
              "an entry is too large",
              "keys have 1 to 511 bytes, values below 4 GiB");
      case LmdbNativeException.PageCorruptedException _ -> corrupt("a page is damaged");
      case LmdbNativeException.PageNotFoundException _ -> corrupt("a page is missing");
      case LmdbNativeException.PageFullException _ -> corrupt("a page is overfull");
      case Cursor.FullException _ -> corrupt("the tree is deeper than it can be");
      case Env.FileInvalidException _ -> corrupt("data.mdb is not an LMDB file");
      case Env.VersionMismatchException _ ->
          new Failure(
              Kind.CORRUPT,
              "data.mdb has another format version",
              "copy it with the mdb_dump of the LMDB that wrote it and mdb_load of 0.9");
      case Dbi.IncompatibleException _ ->
          new Failure(
              Kind.ARGUMENT,
              "the table is another program's",
              "it has flags such as DUPSORT, or is not a table");
      case Dbi.MapResizedException _ ->
          new Failure(
              Kind.IO,
              "another process has made the file larger than this one's map",
              "close the store and open it again, with a map_size at least as large",
              Blocks.NOTHING);
      case LmdbNativeException.PanicException _ ->
          new Failure(
              Kind.IO,
              "an earlier write of the file's head failed",
              "close the store and open it again");
      case LmdbNativeException e -> ofSystem(e.getResultCode(), directory);
      case LmdbException _ -> new Failure(Kind.OTHER, "a call failed", "");
      default -> null;
    };
  }

  private static Failure ofSystem(int code, Path directory) {
    return switch (code) {
      case ENOSPC, EDQUOT, EDQUOT_MACOS -> Failure.full().blocking(Blocks.WRITES);
      case ENOMEM ->
          new Failure(
              Kind.FULL,
              "the system refused memory or address space",
              "open with a smaller map_size, or raise the limit (ulimit -v)");
      case EACCES, EROFS ->
          new Failure(Kind.IO, "no permission", "check the directory's owner and mode");
      case ENOENT -> new Failure(Kind.IO, "data.mdb is missing", "restore a backup");
      case EIO -> { // LMDB also reports it for a write that ended early, as at the end of the disk
        Failure failure = Failure.ofWriting(directory); // what was committed before can be read
        yield failure.kind() == Kind.FULL ? failure.blocking(Blocks.WRITES) : failure;
      }
      case EINVAL ->
          new Failure(
              Kind.OTHER,
              "LMDB refused an argument",
              "if the file system has no mmap, move the store");
      default -> new Failure(Kind.IO, "a call failed", "close the store and open it again");
    };
  }

  private static Failure corrupt(String what) {
    return new Failure(
        Kind.CORRUPT, what, "restore a backup, or save what is readable with mdb_dump");
  }
}
