package io.kvstadium.engine.h2file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.h2.store.fs.FileBaseDefault;
import org.jspecify.annotations.Nullable;

/**
 * A file with the interface of a channel, for H2. An interrupt makes a channel of the JDK break off
 * the call and close the file for all threads; this one does neither, and the thread stays
 * interrupted. Calls at a position run concurrently.
 *
 * <p>A {@link RandomAccessFile} ignores interrupts, but has one position; so there are as many of
 * them as there were ever concurrent calls, up to a limit. None is closed before the end: POSIX
 * drops a process's locks on a file when any of its descriptors is closed.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // calls at a position are concurrent
class UninterruptibleFile extends FileBaseDefault {
  /** Disks gain little beyond this many concurrent requests. */
  private static final int MOST = 64;

  private final Path path;
  private final String mode;
  private final RandomAccessFile first; // for what concerns the whole file
  private final ConcurrentLinkedDeque<RandomAccessFile> idle = new ConcurrentLinkedDeque<>();
  private final Semaphore free = new Semaphore(MOST);

  /**
   * Opens a file.
   *
   * @param mode as for {@link RandomAccessFile}
   */
  UninterruptibleFile(Path path, String mode) throws IOException {
    this.path = path;
    this.mode = mode;
    this.first = new RandomAccessFile(path.toFile(), mode);
  }

  /** Something to do with a file whose position nobody else moves. */
  @FunctionalInterface
  private interface Call {
    int on(RandomAccessFile file) throws IOException;
  }

  private int alone(long at, Call call) throws IOException {
    free.acquireUninterruptibly();
    try {
      RandomAccessFile file = idle.pollFirst();
      if (!isOpen()) {
        throw new ClosedChannelException();
      }
      if (file == null) {
        file = new RandomAccessFile(path.toFile(), mode);
      }
      try {
        file.seek(at);
        return call.on(file);
      } finally {
        idle.addFirst(file);
        if (!isOpen()) {
          closeIdle();
        }
      }
    } finally {
      free.release();
    }
  }

  /** H2's buffers are arrays. */
  @Override
  public int read(ByteBuffer to, long at) throws IOException {
    int start = to.arrayOffset() + to.position();
    int read = alone(at, file -> file.read(to.array(), start, to.remaining()));
    to.position(to.position() + Math.max(read, 0));
    return read;
  }

  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    int length = from.remaining();
    int start = from.arrayOffset() + from.position();
    alone(
        at,
        file -> {
          file.write(from.array(), start, length);
          return length;
        });
    from.position(from.limit());
    return length;
  }

  @Override
  public long size() throws IOException {
    return first.length();
  }

  @Override
  protected void implTruncate(long size) throws IOException {
    if (size < first.length()) {
      first.setLength(size);
    }
  }

  @Override
  public void force(boolean metaData) throws IOException {
    first.getFD().sync();
  }

  @Override
  public @Nullable FileLock tryLock(long at, long size, boolean shared) throws IOException {
    return first.getChannel().tryLock(at, size, shared); // an interrupt does not close it here
  }

  @Override
  protected void implCloseChannel() throws IOException {
    closeIdle();
    first.close();
  }

  private void closeIdle() throws IOException {
    for (RandomAccessFile file = idle.poll(); file != null; file = idle.poll()) {
      file.close();
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
