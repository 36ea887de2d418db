package io.kvstadium.engine.lmdb;

import io.kvstadium.store.CorruptException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file's pages as they are, for reads that must not trust them: LMDB keeps no checksums and
 * follows whatever a page says, so that a damaged one ends the process. What LMDB is about to read
 * is looked through here first. May be used by several threads.
 *
 * <p>The format is that of version 0.9 ({@code MDB_meta}, {@code MDB_page} and {@code MDB_node} in
 * {@code mdb.c}).
 */
final class CheckedPages implements AutoCloseable {
  private static final int LIKELY_PAGE = 4096;
  private static final int META = 16; // behind the header of the first two pages
  private static final int MAIN_TABLE = META + 72;
  private static final int TRANSACTION = META + 128;
  private static final int PAGE_SIZE = META + 24;

  private final Path file;
  private final FileChannel channel;
  private final int pageSize;
  private volatile MemorySegment map;

  /**
   * @param place an environment's directory, or its only file
   */
  CheckedPages(Path place) {
    this.file = Files.isDirectory(place) ? place.resolve("data.mdb") : place;
    try {
      this.channel = FileChannel.open(file, StandardOpenOption.READ);
      this.map = mapped();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.pageSize =
        map.byteSize() < LIKELY_PAGE ? LIKELY_PAGE : map.get(CheckedPage.INT, PAGE_SIZE);
    if (pageSize < 256 || pageSize > 65_536 || Integer.bitCount(pageSize) != 1) {
      throw new CorruptException(file + " says that its pages have " + pageSize + " bytes");
    }
  }

  private MemorySegment mapped() throws IOException {
    return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
  }

  /** How many whole pages the file has, in the part that is mapped. */
  long count() {
    return map.byteSize() / pageSize;
  }

  /** The page of this number, whatever is in it; its range is for the message. */
  CheckedPage page(long number, KeyRange range) {
    if (number < 0 || (number >= count() && !grown(number))) {
      throw damaged(number, "it is behind the end of the file", range);
    }
    return new CheckedPage(this, map.asSlice(number * pageSize, pageSize), number, range);
  }

  private boolean grown(long number) {
    try {
      if (channel.size() / pageSize > count()) {
        map = mapped();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return number < count();
  }

  CorruptException damaged(long page, String why, KeyRange range) {
    return new CorruptException(
        "engine lmdb: page %d of %s is damaged (%s)%s".formatted(page, file, why, range));
  }

  /**
   * The tree of a table as a transaction sees it.
   *
   * @param name null for the unnamed table
   * @return null if there is no such table, or if writers in other processes have committed so much
   *     since the transaction began that its root is no longer in the file
   */
  @Nullable CheckedPath path(long transaction, byte @Nullable [] name) {
    for (int i = 0; i < 2; i++) {
      MemorySegment meta = map.asSlice((long) i * pageSize, pageSize);
      if (meta.get(CheckedPage.LONG, TRANSACTION) == transaction) {
        CheckedPath unnamed = new CheckedPath(this, meta, MAIN_TABLE);
        return name == null ? unnamed : unnamed.table(name);
      }
    }
    return null;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
