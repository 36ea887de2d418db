package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Entry;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * Writes sorted entries into table files. The calling thread only packs entries into native memory.
 * Two threads, which end with this object, make files out of them, each of its own range, since
 * nearly all of the time goes into compression and copying. Used by one thread.
 */
final class RocksDbFiles implements AutoCloseable {
  private static final int THREADS = 2;

  /** The bytes of a portion, in which entries are handed over; it should fit a CPU's cache. */
  private static final int PORTION = 512 << 10;

  /** The most portions, each allocated when needed: enough to keep both threads busy. */
  private static final int PORTIONS = 96;

  /** The bytes of entries that make a range; small enough to begin the next one soon. */
  private static final long RANGE = 64 << 20;

  /**
   * A file ends at the latest when its entries are this many times its full size: on a full disk
   * the file does not grow, and some versions report the error only at its end.
   */
  private static final int MOST_COMPRESSION = 16;

  private static final int LENGTHS = 2 * Integer.BYTES;
  private static final Portion END = new Portion(ByteBuffer.allocate(0), null);

  /**
   * Entries, each as two lengths, key and value.
   *
   * @param large an entry that is too large for a portion and is handed over as it is
   */
  private record Portion(ByteBuffer packed, @Nullable Entry large) {
    boolean isEnd() {
      return packed.capacity() == 0;
    }
  }

  private final Path folder;
  private final EnvOptions environment;
  private final Options options;
  private final long most;
  private final Arena arena = Arena.ofShared();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().daemon().name("kv-stadium-load-", 0).factory());
  private final BlockingDeque<ByteBuffer> free = new LinkedBlockingDeque<>();

  /** Lets only one large entry be under way, since these are not in the bounded memory. */
  private final Semaphore large = new Semaphore(1);

  private int portions;
  private int ranges;
  private volatile boolean stopped;

  /**
   * @param folder where the files are made and left
   * @param most the size at which a file is full
   */
  RocksDbFiles(Path folder, EnvOptions environment, Options options, long most) {
    this.folder = folder;
    this.environment = environment;
    this.options = options;
    this.most = most;
  }

  /** Writes entries, whose keys ascend strictly, into files of disjoint ranges, synced. */
  List<String> write(Iterator<Entry> ascending) throws RocksDBException {
    List<Range> begun = new ArrayList<>();
    boolean whole = false;
    try {
      while (ascending.hasNext() && !stopped) {
        Range range = new Range(folder.resolve(ranges++ + "-").toString());
        threads.execute(range);
        begun.add(range);
        try {
          feed(range, ascending);
        } finally {
          range.queue.add(END);
        }
      }
      whole = true;
    } finally {
      stopped |= !whole;
      CompletableFuture.allOf(begun.stream().map(r -> r.files).toArray(CompletableFuture<?>[]::new))
          .handle((nothing, failure) -> failure) // thrown below, unless the iterator failed
          .join();
    }
    List<String> files = new ArrayList<>();
    for (Range range : begun) {
      files.addAll(range.join());
    }
    return files;
  }

  private void feed(Range range, Iterator<Entry> ascending) {
    ByteBuffer packed = allocate();
    for (long bytes = 0; bytes < RANGE && ascending.hasNext() && !stopped; ) {
      Entry entry = ascending.next();
      long size = LENGTHS + (long) entry.key().length + entry.value().length;
      if (size > packed.remaining() && packed.position() > 0) {
        range.queue.add(new Portion(packed.flip(), null));
        packed = allocate();
      }
      if (size > packed.remaining()) {
        large.acquireUninterruptibly();
        range.queue.add(new Portion(packed.flip(), entry));
        packed = allocate();
      } else {
        packed.putInt(entry.key().length).putInt(entry.value().length);
        packed.put(entry.key()).put(entry.value());
      }
      bytes += size;
    }
    if (packed.position() == 0) {
      free.push(packed); // RocksDB refuses files without entries
    } else {
      range.queue.add(new Portion(packed.flip(), null));
    }
  }

  private ByteBuffer allocate() {
    ByteBuffer packed = free.poll();
    if (packed == null && portions < PORTIONS) {
      portions++;
      return arena.allocate(PORTION).asByteBuffer();
    }
    return packed == null ? take(free) : packed;
  }

  private static <T> T take(BlockingQueue<T> queue) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return queue.take();
        } catch (InterruptedException e) {
          interrupted = true; // the work continues, as it does within the engine
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    arena.close();
  }

  /** Entries on their way into separate files, usually a single one. */
  private final class Range implements Runnable {
    final BlockingQueue<Portion> queue = new LinkedBlockingQueue<>();
    final CompletableFuture<List<String>> files = new CompletableFuture<>();
    private final String prefix;
    private Portion current = END;

    Range(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public void run() {
      try {
        current = take(queue);
        List<String> written = new ArrayList<>();
        while (!current.isEnd() && !stopped) {
          String file = prefix + written.size() + ".sst";
          writeFile(file);
          written.add(file);
        }
        finish();
        files.complete(written);
      } catch (RocksDBException | RuntimeException | Error e) {
        stopped = true;
        finish();
        files.completeExceptionally(e);
      }
    }

    /** Returns the remaining portions, since the calling thread may be waiting for them. */
    private void finish() {
      while (!current.isEnd()) {
        advance();
      }
    }

    private void advance() {
      if (current.large != null) {
        large.release();
      }
      free.push(current.packed.clear());
      current = take(queue);
    }

    private void writeFile(String file) throws RocksDBException {
      try (SstFileWriter writer = new SstFileWriter(environment, options)) {
        writer.open(file);
        long bytes = 0;
        do {
          bytes += put(writer);
          advance();
        } while (!current.isEnd()
            && !stopped
            && writer.fileSize() < most
            && bytes / MOST_COMPRESSION < most);
        writer.finish();
      }
    }

    private long put(SstFileWriter writer) throws RocksDBException {
      ByteBuffer packed = current.packed;
      ByteBuffer key = packed.duplicate();
      ByteBuffer value = packed.duplicate();
      int at = 0;
      while (at < packed.limit()) {
        int begin = at + LENGTHS;
        int middle = begin + packed.getInt(at);
        int end = middle + packed.getInt(at + Integer.BYTES);
        writer.put(key.limit(middle).position(begin), value.limit(end).position(middle));
        at = end;
      }
      Entry entry = current.large;
      if (entry == null) {
        return at;
      }
      writer.put(entry.key(), entry.value());
      return at + entry.key().length + (long) entry.value().length;
    }

    List<String> join() throws RocksDBException {
      try {
        return files.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RocksDBException failure) {
          throw failure;
        }
        throw e; // not RocksDB's
      }
    }
  }
}
