package io.kvstadium.trace.record;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.trace.KeyHash;
import io.kvstadium.trace.KeyTokens;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Records operations of any number of threads into a file. A thread copies an operation into a ring
 * and goes on; one other thread writes them, in the order in which they ended. Where the rings are
 * full, operations are dropped and counted: nobody ever waits for the file. If the file cannot be
 * written, the recording ends, and nothing else does.
 *
 * <p>Takes 16 MiB of heap. A file that exists and is a trace is continued; what was written before
 * a kill is lost for the last second only.
 */
public final class Recorder implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Recorder.class.getPackageName());
  private static final int MEMORY = 16 << 20;
  private static final int MAX_KEY = 1 << 14;
  private static final long PAUSE = 2_000_000;
  private static final long FLUSH = 1_000_000_000;

  /**
   * What to record.
   *
   * @param oneOf of how many keys one is recorded, by the hash of the key
   * @param secret what tokens instead of keys are computed from, or {@code null} for plain keys
   */
  public record Options(int oneOf, @Nullable String secret) {
    /** All keys, as they are. */
    public static final Options DEFAULT = new Options(1, null);
  }

  private final Path file;
  private final Options options;
  private final @Nullable FileChannel channel;
  private final TraceWriter writer;
  private final Ring[] rings;
  private final Map<String, Table> tables = new ConcurrentHashMap<>();
  private final List<String> names = new CopyOnWriteArrayList<>(List.of(""));
  private final Map<Integer, Integer> threads = new HashMap<>();
  private final LongAdder dropped = new LongAdder();
  private final long began = System.nanoTime();
  private final Thread thread;
  private volatile boolean stopping;
  private volatile boolean failed;

  private record Table(int number, long seed) {}

  Recorder(Path file, Options options, @Nullable FileChannel channel, TraceWriter writer) {
    this.file = file;
    this.options = options;
    this.channel = channel;
    this.writer = writer;
    int count =
        Integer.highestOneBit(Math.clamp(4L * Runtime.getRuntime().availableProcessors(), 8, 32));
    rings = new Ring[count];
    for (int i = 0; i < count; i++) {
      rings[i] = new Ring(MEMORY / count);
    }
    thread = Thread.ofPlatform().daemon().name("stadium-recorder").unstarted(this::write);
  }

  /**
   * Begins to record.
   *
   * @param header of the file; see {@code docs/trace-format.md}
   * @throws BadArgumentException if the file cannot be written, is no trace, or is being recorded
   *     into
   */
  public static Recorder start(Path file, Map<String, String> header, Options options) {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      lock(channel, file);
      boolean exists = channel.size() > 0;
      if (exists) {
        requireTrace(channel, file);
      }
      channel.position(channel.size());
      OutputStream out = Channels.newOutputStream(channel);
      Map<String, String> all = new LinkedHashMap<>(header);
      all.put("began_ms", Long.toString(System.currentTimeMillis()));
      all.put("keys", options.secret == null ? "plain" : "tokens");
      if (options.oneOf > 1) {
        all.put("sample", "1/" + options.oneOf);
      }
      // a file header in the middle is skipped by readers
      TraceWriter writer =
          TraceWriter.begin(
              out, all, options.secret == null ? null : new KeyTokens(options.secret));
      writer.flush();
      return new Recorder(file, options, channel, writer).begin();
    } catch (IOException e) {
      closeQuietly(channel);
      throw new BadArgumentException(
          "cannot record into " + file + " (" + e + "): name a file in a directory that exists", e);
    } catch (RuntimeException e) {
      closeQuietly(channel);
      throw e;
    }
  }

  /** Until the channel is closed. */
  private static void lock(FileChannel channel, Path file) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      // by this process
    }
    throw new BadArgumentException(
        file + " is being recorded into already: name another file for this store");
  }

  private static void requireTrace(FileChannel channel, Path file) throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(8);
    channel.read(magic, 0);
    if (magic.getLong(0) != 0x894b_5654_5241_430aL) {
      throw new BadArgumentException(
          file + " exists and is no trace: name another file to record into");
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // the failure before is what counts
    }
  }

  Recorder begin() {
    thread.start();
    return this;
  }

  /** Whether operations are still recorded: not after {@link #close}, or if the file failed. */
  public boolean isRecording() {
    return !stopping && !failed;
  }

  /** How many operations were dropped, because they came faster than they could be written. */
  public long dropped() {
    return dropped.sum();
  }

  /** Whether operations on this key are recorded. */
  public boolean samples(String table, byte[] key) {
    return options.oneOf == 1 || KeyHash.of(table(table).seed, key) % options.oneOf == 0;
  }

  /**
   * Records an operation on one key that just ended.
   *
   * @param begin when it began, by {@link System#nanoTime}
   * @param length of the value; -1 if unknown
   */
  public void key(Kind kind, Outcome outcome, String table, byte[] key, long begin, long length) {
    if (samples(table, key)) {
      add(kind, outcome, 0, table, begin, length, -1, -1, key, null);
    }
  }

  /** Records a scan or the removal of a range. */
  public void range(
      Kind kind,
      Outcome outcome,
      String table,
      byte @Nullable [] from,
      byte @Nullable [] to,
      int flags,
      long limit,
      long begin,
      long entries,
      long bytes) {
    if (from == null || samples(table, from)) {
      add(kind, outcome, flags, table, begin, bytes, entries, limit, from, to);
    }
  }

  /** Records the bound of a transaction, or a call on the store or on a whole table. */
  public void bound(Kind kind, Outcome outcome, String table, long begin) {
    add(kind, outcome, 0, table, begin, -1, -1, -1, null, null);
  }

  /** One operation of a {@link #batch}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Part(
      Kind kind,
      Outcome outcome,
      String table,
      byte @Nullable [] key,
      byte @Nullable [] to,
      int flags,
      long length) {}

  /** Records operations that were one call, so that they stay together. */
  public void batch(Outcome outcome, long begin, List<Part> parts) {
    if (!isRecording()) {
      return;
    }
    long end = System.nanoTime();
    long size = 2L * Ring.FIXED;
    int largest = Ring.FIXED;
    boolean any = false;
    for (Part part : parts) {
      if (recorded(part)) {
        int own = Ring.size(part.key, part.to);
        size += own;
        largest = Math.max(largest, own);
        any = true;
      }
    }
    if (!any) {
      return;
    }
    Ring ring = claim();
    if (ring == null) {
      dropped.add(parts.size());
      return;
    }
    try {
      if (!ring.hasRoom(size, largest)) {
        dropped.add(parts.size());
        return;
      }
      int caller = (int) Thread.currentThread().threadId();
      ring.add(Kind.BATCH.code(), 0, 0, 0, caller, end, 0, -1, -1, -1, null, null);
      for (Part part : parts) {
        if (recorded(part)) {
          ring.add(
              part.kind.code(),
              part.outcome.code(),
              part.flags,
              table(part.table).number,
              caller,
              end,
              0,
              part.length,
              -1,
              -1,
              part.key,
              part.to);
        }
      }
      ring.add(
          Kind.BATCH_END.code(),
          outcome.code(),
          0,
          0,
          caller,
          end,
          end - begin,
          -1,
          -1,
          -1,
          null,
          null);
    } finally {
      ring.release();
    }
  }

  private boolean recorded(Part part) {
    return !tooLong(part.key)
        && !tooLong(part.to)
        && (part.key == null || samples(part.table, part.key));
  }

  private static boolean tooLong(byte @Nullable [] key) {
    return key != null && key.length > MAX_KEY;
  }

  private void add(
      Kind kind,
      Outcome outcome,
      int flags,
      String table,
      long begin,
      long length,
      long count,
      long limit,
      byte @Nullable [] key,
      byte @Nullable [] to) {
    if (!isRecording()) {
      return;
    }
    long end = System.nanoTime();
    if (tooLong(key) || tooLong(to)) {
      dropped.increment();
      return;
    }
    int number = table.isEmpty() ? 0 : table(table).number;
    Ring ring = claim();
    if (ring == null) {
      dropped.increment();
      return;
    }
    try {
      int size = Ring.size(key, to);
      if (ring.hasRoom(size, size)) {
        ring.add(
            kind.code(),
            outcome.code(),
            flags,
            number,
            (int) Thread.currentThread().threadId(),
            end,
            end - begin,
            length,
            count,
            limit,
            key,
            to);
      } else {
        dropped.increment();
      }
    } finally {
      ring.release();
    }
  }

  /** A ring that no other thread is using, its own first; {@code null} if all are in use. */
  private @Nullable Ring claim() {
    int first = (int) Thread.currentThread().threadId();
    for (int i = 0; i < rings.length; i++) {
      Ring ring = rings[first + i & rings.length - 1];
      if (ring.claim()) {
        return ring;
      }
    }
    return null;
  }

  private Table table(String name) {
    Table table = tables.get(name);
    return table != null ? table : newTable(name);
  }

  private synchronized Table newTable(String name) {
    return tables.computeIfAbsent(
        name,
        _ -> {
          names.add(name);
          return new Table(names.size() - 1, KeyHash.seed(name));
        });
  }

  /** Writes until the end. */
  private void write() {
    Ring.View[] views = new Ring.View[rings.length];
    for (int i = 0; i < rings.length; i++) {
      views[i] = rings[i].new View();
    }
    try (writer) {
      long flushed = System.nanoTime();
      long told = 0;
      while (true) {
        boolean last = stopping;
        boolean any = drain(views, last ? Long.MAX_VALUE : System.nanoTime());
        long lost = dropped.sum();
        writer.dropped(lost - told);
        told = lost;
        if (last) {
          return;
        }
        if (!any) {
          if (System.nanoTime() - flushed > FLUSH) {
            writer.flush();
            flushed = System.nanoTime();
          }
          LockSupport.parkNanos(PAUSE);
        }
      }
    } catch (IOException | RuntimeException e) {
      failed = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "the recording into "
              + file
              + " ended, because it could not be written; the store goes on",
          e);
      closeQuietly(channel);
    }
  }

  /** Writes what ended before the horizon, in the order of the ends. */
  private boolean drain(Ring.View[] views, long horizon) throws IOException {
    for (Ring.View view : views) {
      view.refresh();
    }
    boolean any = false;
    while (true) {
      Ring.View next = null;
      for (Ring.View view : views) {
        if (view.isPresent() && (next == null || view.end() - next.end() < 0)) {
          next = view;
        }
      }
      if (next == null || (horizon != Long.MAX_VALUE && next.end() - horizon > 0)) {
        return any;
      }
      writeOne(next);
      any = true;
    }
  }

  private void writeOne(Ring.View view) throws IOException {
    Kind kind = Kind.of(view.kind());
    boolean wholeBatch = kind == Kind.BATCH;
    while (true) { // a batch is in one ring, without others in between
      kind = Kind.of(view.kind());
      writer.append(
          new Operation(
              kind,
              Outcome.of(view.outcome()),
              threads.computeIfAbsent(view.thread(), _ -> threads.size()),
              names.get(view.table()),
              view.key(),
              view.to(),
              view.end() - began,
              view.duration(),
              view.length(),
              view.count(),
              view.most(),
              -1,
              view.flags()));
      view.remove();
      if (!wholeBatch || kind == Kind.BATCH_END || !view.isPresent()) {
        return;
      }
    }
  }

  /** Ends the recording; what was called before is in the file. */
  @Override
  public void close() {
    stopping = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    closeQuietly(channel);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The file. */
  public Path file() {
    return file;
  }
}
