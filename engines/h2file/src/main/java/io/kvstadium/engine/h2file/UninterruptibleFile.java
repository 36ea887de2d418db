package io.kvstadium.engine.h2file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A file with the interface of a channel, for engines that take one. An interrupt makes a channel
 * of the JDK break off the call and close the file for all threads; this one does neither, and the
 * thread stays interrupted. Calls at a position run concurrently. Vectored calls, transfers, maps
 * and locks that wait are not supported.
 *
 * <p>A {@link RandomAccessFile} ignores interrupts, but has one position; so there are as many of
 * them as there were ever concurrent calls, up to a limit. None is closed before the end: POSIX
 * drops a process's locks on a file when any of its descriptors is closed.
 */
class UninterruptibleFile extends FileChannel {
  /** Disks gain little beyond this many concurrent requests. */
  private static final int MOST = 64;

  private final Path path;
  private final String mode;
  private final RandomAccessFile first; // for what concerns the whole file
  private final ConcurrentLinkedDeque<RandomAccessFile> idle = new ConcurrentLinkedDeque<>();
  private final Semaphore free = new Semaphore(MOST);
  private long position; // guarded by this

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

  @Override
  public int read(ByteBuffer to, long at) throws IOException {
    int length = to.remaining();
    if (to.hasArray()) {
      int start = to.arrayOffset() + to.position();
      int read = alone(at, file -> file.read(to.array(), start, length));
      to.position(to.position() + Math.max(read, 0));
      return read;
    }
    byte[] copy = new byte[length];
    int read = alone(at, file -> file.read(copy));
    to.put(copy, 0, Math.max(read, 0));
    return read;
  }

  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    int length = from.remaining();
    if (from.hasArray()) {
      int start = from.arrayOffset() + from.position();
      alone(at, file -> write(file, from.array(), start, length));
      from.position(from.limit());
      return length;
    }
    byte[] copy = new byte[length];
    from.get(copy);
    return alone(at, file -> write(file, copy, 0, length));
  }

  private static int write(RandomAccessFile file, byte[] bytes, int start, int length)
      throws IOException {
    file.write(bytes, start, length);
    return length;
  }

  @Override
  public synchronized int read(ByteBuffer to) throws IOException {
    int read = read(to, position);
    position += Math.max(read, 0);
    return read;
  }

  @Override
  public synchronized int write(ByteBuffer from) throws IOException {
    int written = write(from, position);
    position += written;
    return written;
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public synchronized FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    return first.length();
  }

  @Override
  public synchronized FileChannel truncate(long size) throws IOException {
    if (size < first.length()) {
      first.setLength(size);
    }
    position = Math.min(position, size);
    return this;
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

  // ---- what nobody needs

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mapMode, long at, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
