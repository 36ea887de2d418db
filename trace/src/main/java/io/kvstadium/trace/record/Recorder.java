package io.kvstadium.trace.record;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Recording;
import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.trace.KeyHash;
import io.kvstadium.trace.KeyTokens;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.Deflater;
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
final class Recorder implements CallRecorder {
  private static final System.Logger LOG = System.getLogger(Recorder.class.getPackageName());
  private static final String SECRET = "STADIUM_TRACE_SECRET";
  private static final int MEMORY = 16 << 20;
  private static final long PAUSE = 2_000_000;
  private static final long FLUSH = 1_000_000_000;
  private static final long COMPRESSED_EVERY = 20_000_000;
  private static final int COMPRESSED_BYTES = 16 << 10;

  /** The kinds of the store, in its order, as those of the format. */
  private static final Kind[] KINDS =
      Arrays.stream(CallRecorder.CallKind.values())
          .map(kind -> Kind.valueOf(kind.name()))
          .toArray(Kind[]::new);

  private static final Outcome[] OUTCOMES =
      Arrays.stream(CallRecorder.CallOutcome.values())
          .map(outcome -> Outcome.valueOf(outcome.name()))
          .toArray(Outcome[]::new);

  /**
   * What is being recorded into: a file's locks are those of the process, and end with any channel.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  /** Stores with numbered files that are recorded at once. */
  private static final int MAX_FILES = 1_000;

  private final Path file;
  private final int oneOf;
  private final @Nullable FileChannel channel;
  private final TraceWriter writer;
  private final Ring[] rings;
  private final Map<String, Table> tables = new ConcurrentHashMap<>();
  private final List<String> names = new CopyOnWriteArrayList<>(List.of(""));
  private final ThreadNumbers threads = new ThreadNumbers();
  private final LongAdder dropped = new LongAdder();
  private final long began = System.nanoTime();
  private final Thread thread;
  private volatile long compressed = began - COMPRESSED_EVERY; // when a value was
  private volatile boolean stopping;
  private volatile boolean failed;
  private final @Nullable Path real;

  private record Table(int number, long seed) {}

  /**
   * @param real the file's own path, to be left when this ends
   */
  Recorder(
      Path file,
      int oneOf,
      @Nullable Path real,
      @Nullable FileChannel channel,
      TraceWriter writer) {
    this.file = file;
    this.oneOf = oneOf;
    this.real = real;
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

  /** Refuses what cannot be recorded into; makes and changes nothing. */
  static void check(Recording.Options options) {
    tokens(options);
    Path file = options.file();
    for (int number = 2; options.numbered() && isOpen(file); number++) {
      file = numbered(options.file(), number);
    }
    try {
      if (isOpen(file)) {
        throw inUse(file);
      } else if (Files.exists(file)) {
        requireTrace(file);
      } else {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory) || !Files.isWritable(directory)) {
          throw new BadArgumentException(
              "cannot record into " + file + ": name a file in a directory that can be written");
        }
      }
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Whether this process records into a file. */
  private static boolean isOpen(Path file) {
    try {
      return OPEN.contains(file.toRealPath());
    } catch (IOException _) {
      return false; // it is not there
    }
  }

  /** {@code app-2.trace} for {@code app.trace}. */
  private static Path numbered(Path file, int number) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    return file.resolveSibling(stem + "-" + number + name.substring(stem.length()));
  }

  /**
   * Begins to record.
   *
   * @param header of the file; see {@code docs/internals/trace-format.md}
   * @throws BadArgumentException if the file cannot be written, is no trace, or is being recorded
   *     into
   */
  static Recorder start(Recording.Options options, Map<String, String> header) {
    Recorder recorder = begin(options.file(), options, header);
    for (int number = 2; recorder == null && options.numbered() && number <= MAX_FILES; number++) {
      recorder = begin(numbered(options.file(), number), options, header);
    }
    if (recorder == null) {
      throw inUse(options.file());
    }
    return recorder;
  }

  /** Begins to record into a file, or returns {@code null} if it is being recorded into. */
  private static @Nullable Recorder begin(
      Path file, Recording.Options options, Map<String, String> header) {
    if (isOpen(file)) {
      return null;
    }
    check(new Recording.Options(file, options.oneOf(), options.tokens()));
    KeyTokens tokens = tokens(options);
    FileChannel channel = null;
    Path real = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Path own = file.toRealPath();
      if (!OPEN.add(own)) {
        return closed(channel);
      }
      real = own;
      if (channel.tryLock() == null) { // another process has it
        OPEN.remove(own);
        return closed(channel);
      }
      channel.position(channel.size());
      OutputStream out = Channels.newOutputStream(channel);
      Map<String, String> all = new LinkedHashMap<>(header);
      all.put("program", "KV Stadium");
      all.put("began_ms", Long.toString(System.currentTimeMillis()));
      all.put("keys", tokens == null ? "plain" : "tokens");
      if (options.oneOf() > 1) {
        all.put("sample", "1/" + options.oneOf());
      }
      // a file header in the middle is skipped by readers
      TraceWriter writer = TraceWriter.begin(out, all, tokens);
      writer.flush();
      channel.force(false); // a power cut must not leave a file that is no trace, which is refused
      return new Recorder(file, options.oneOf(), real, channel, writer).begin();
    } catch (IOException | RuntimeException e) {
      closeQuietly(channel);
      if (real != null) {
        OPEN.remove(real);
      }
      throw e instanceof RuntimeException known ? known : unwritable(file, e);
    }
  }

  private static @Nullable Recorder closed(FileChannel channel) {
    closeQuietly(channel);
    return null;
  }

  private static @Nullable KeyTokens tokens(Recording.Options options) {
    if (!options.tokens()) {
      return null;
    }
    String secret = System.getenv(SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new BadArgumentException(
          "record_keys=tokens needs a secret to compute the tokens from: put it into the environment"
              + " variable "
              + SECRET);
    }
    return new KeyTokens(secret);
  }

  private static BadArgumentException unwritable(Path file, Exception e) {
    return new BadArgumentException(
        "cannot record into " + file + " (" + e + "): name a file in a directory that exists", e);
  }

  private static BadArgumentException inUse(Path file) {
    return new BadArgumentException(
        file + " is being recorded into already: name another file for this store");
  }

  private static void requireTrace(Path file) throws IOException {
    byte[] magic;
    try (InputStream in = Files.newInputStream(file)) {
      magic = in.readNBytes(8);
    }
    if (magic.length > 0
        && (magic.length < 8 || ByteBuffer.wrap(magic).getLong() != 0x894b_5654_5241_430aL)) {
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

  @Override
  public boolean isRecording() {
    return !stopping && !failed;
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public long dropped() {
    return dropped.sum();
  }

  /** Whether operations on this key are recorded. */
  boolean samples(String table, byte[] key) {
    return oneOf == 1 || KeyHash.of(table(table).seed, key) % oneOf == 0;
  }

  @Override
  public void entry(
      CallRecorder.CallKind kind,
      CallRecorder.CallOutcome outcome,
      String table,
      byte[] key,
      long begun,
      long length,
      long ttl) {
    if (samples(table, key)) {
      boolean expires = ttl >= 0;
      Ring ring =
          add(
              expires ? Kind.PUT_EXPIRING : kind(kind),
              outcome(outcome),
              table,
              begun,
              expires,
              key,
              null);
      if (ring != null) {
        (expires ? ring.more(-1, -1, ttl) : ring).length(length).release();
      }
    }
  }

  /** Compresses few, of the first bytes: one in 64, and at most 50 a second. */
  @Override
  public void value(String table, byte[] value) {
    if (value.length == 0 || (ThreadLocalRandom.current().nextInt() & 63) != 0) {
      return;
    }
    long now = System.nanoTime();
    if (now - compressed < COMPRESSED_EVERY) {
      return;
    }
    compressed = now;
    int length = Math.min(value.length, COMPRESSED_BYTES);
    byte[] into = new byte[2 * COMPRESSED_BYTES];
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      deflater.setInput(value, 0, length);
      deflater.finish();
      int took = deflater.deflate(into);
      Ring ring = add(Kind.COMPRESSED, Outcome.OK, table, now, true, null, null);
      if (ring != null) {
        ring.more(took, -1, -1).length(length).release();
      }
    } finally {
      deflater.end();
    }
  }

  @Override
  public void range(
      CallRecorder.CallKind kind,
      String table,
      Range<byte[]> range,
      long begun,
      long entries,
      long bytes) {
    byte[] from = range.from();
    if (from == null || samples(table, from)) {
      long limit = range.limit() == Long.MAX_VALUE ? -1 : range.limit();
      boolean more = (entries & limit) != -1;
      Ring ring = add(kind(kind), Outcome.OK, table, begun, more, from, range.to());
      if (ring != null) {
        (more ? ring.more(entries, limit, -1) : ring).length(bytes).flags(flags(range)).release();
      }
    }
  }

  private static int flags(Range<?> range) {
    return (range.reversed() ? Operation.REVERSED : 0)
        | (range.from() == null || range.fromInclusive() ? 0 : Operation.FROM_EXCLUSIVE)
        | (range.to() != null && range.toInclusive() ? Operation.TO_INCLUSIVE : 0)
        | (range.withoutValues() ? Operation.KEYS_ONLY : 0);
  }

  @Override
  public void bound(
      CallRecorder.CallKind kind, CallRecorder.CallOutcome outcome, String table, long begun) {
    Ring ring = add(kind(kind), outcome(outcome), table, begun, false, null, null);
    if (ring != null) {
      ring.release();
    }
  }

  @SuppressWarnings("EnumOrdinal") // of an array made from the same enum
  private static Kind kind(CallRecorder.CallKind kind) {
    return KINDS[kind.ordinal()];
  }

  @SuppressWarnings("EnumOrdinal") // of an array made from the same enum
  private static Outcome outcome(CallRecorder.CallOutcome outcome) {
    return OUTCOMES[outcome.ordinal()];
  }

  @Override
  public void batch(CallRecorder.CallOutcome outcome, long begun, List<Part> parts) {
    if (!isRecording()) {
      return;
    }
    long end = System.nanoTime();
    long size = 2L * Ring.FIXED;
    int largest = Ring.FIXED;
    boolean any = false;
    for (Part part : parts) {
      if (recorded(part)) {
        int own = Ring.size(false, key(part), to(part));
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
      int caller = ThreadNumbers.current();
      ring.add(Kind.BATCH, Outcome.OK, false, null, null).call(caller, 0, end, end);
      for (Part part : parts) {
        if (recorded(part)) {
          ring.add(kind(part.kind()), outcome(part.outcome()), false, key(part), to(part))
              .call(caller, table(part.table()).number, end, end)
              .length(part.length())
              .flags(part.range() == null ? 0 : flags(part.range()));
        }
      }
      ring.add(Kind.BATCH_END, outcome(outcome), false, null, null).call(caller, 0, begun, end);
    } finally {
      ring.release();
    }
  }

  private boolean recorded(Part part) {
    byte[] key = key(part);
    return !tooLong(key) && !tooLong(to(part)) && (key == null || samples(part.table(), key));
  }

  private static byte @Nullable [] key(Part part) {
    return part.range() == null ? part.key() : part.range().from();
  }

  private static byte @Nullable [] to(Part part) {
    return part.range() == null ? null : part.range().to();
  }

  private static boolean tooLong(byte @Nullable [] key) {
    return key != null && key.length > TraceWriter.MAX_KEY;
  }

  /**
   * Adds a call that has just ended to a ring, which must be released; {@code null} if it is
   * dropped.
   *
   * @param more whether it has a count, a limit or an expiry
   */
  private @Nullable Ring add(
      Kind kind,
      Outcome outcome,
      String table,
      long begun,
      boolean more,
      byte @Nullable [] key,
      byte @Nullable [] to) {
    if (!isRecording()) {
      return null;
    }
    long end = System.nanoTime();
    int number = table.isEmpty() ? 0 : table(table).number;
    Ring ring = tooLong(key) || tooLong(to) ? null : claim();
    if (ring == null) {
      dropped.increment();
      return null;
    }
    int size = Ring.size(more, key, to);
    if (!ring.hasRoom(size, size)) {
      ring.release();
      dropped.increment();
      return null;
    }
    return ring.add(kind, outcome, more, key, to).call(ThreadNumbers.current(), number, begun, end);
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
    boolean wholeBatch = view.kind() == Kind.BATCH;
    while (true) { // a batch is in one ring, without others in between
      Kind kind = view.kind();
      long end = view.end();
      writer.append(
          Operation.of(
                  kind,
                  view.outcome(),
                  threads.number(view.thread(), kind, end - view.duration(), end),
                  names.get(view.table()),
                  view.key(),
                  end - began,
                  view.duration(),
                  view.length())
              .upTo(view.to(), view.limit(), view.flags())
              .counting(view.count())
              .expiring(view.ttl()));
      view.remove();
      if (!wholeBatch || kind == Kind.BATCH_END || !view.isPresent()) {
        return;
      }
    }
  }

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
    if (real != null) {
      OPEN.remove(real);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
