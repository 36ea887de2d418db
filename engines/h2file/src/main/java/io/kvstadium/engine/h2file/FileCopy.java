package io.kvstadium.engine.h2file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.mvstore.FileStore;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.store.fs.FilePath;

/**
 * A copy of MVStore's file as it is at one moment. MVStore's own backup reads on to the end of the
 * file, which may grow faster.
 *
 * @param head the header, which leads to the newest chunk
 */
public record FileCopy(FileStore<?> file, ByteBuffer head, long size) {
  private static final int HEAD = 8 << 10;
  private static final int PORTION = 1 << 20;

  /** Begins a copy while nothing is being saved. Until it is done, space must not be reused. */
  public static FileCopy of(MVStore store) {
    FileStore<?> file = store.getFileStore();
    return new FileCopy(file, file.readFully(null, 0, HEAD), length(file));
  }

  /** MVStore's own figure is less after a crash: see {@link ChunkFile#size}. */
  private static long length(FileStore<?> file) {
    return FilePath.get(file.getFileName()).size();
  }

  /** Writes it to a new file. */
  public void to(Path copy) throws IOException {
    try (OutputStream out = Files.newOutputStream(copy)) {
      write(head, out);
      long end = size;
      for (long at = HEAD; at < end; ) {
        int length = (int) Math.min(PORTION, end - at);
        try {
          write(file.readFully(null, at, length), out);
          at += length;
        } catch (MVStoreException e) {
          end = length(file);
          if (end >= at + length) {
            throw e;
          } // else what was cut off was free: chunks saved meanwhile are behind all others
        }
      }
    }
  }

  private static void write(ByteBuffer bytes, OutputStream out) throws IOException {
    out.write(bytes.array(), bytes.arrayOffset(), bytes.limit());
  }
}
