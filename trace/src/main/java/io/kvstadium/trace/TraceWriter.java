package io.kvstadium.trace;

import io.kvstadium.trace.Kind.Field;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a trace. What was written before a {@link #flush} survives a kill of the process. */
public final class TraceWriter implements Closeable {
  /** The longest key, in bytes; operations on longer ones are dropped. */
  public static final int MAX_KEY = TraceFormat.MAX_KEY;

  private final OutputStream out;
  private final @Nullable KeyTokens tokens;
  private final ByteBuffer block = ByteBuffer.allocate(TraceFormat.MAX_BLOCK);
  private final Map<KeyBytes, Known> keys = new HashMap<>();
  private final Map<String, Integer> tables = new HashMap<>();
  private byte[] lastKey = new byte[0];
  private String lastTable = "";
  private int lastThread;
  private long lastTick;
  private long sequence;
  private long operations;
  private long dropped;
  private boolean hasOperations;

  /** A key of the block, and the length of its value when last seen. */
  private static final class Known {
    final int number;
    long length;

    Known(int number) {
      this.number = number;
    }
  }

  private TraceWriter(OutputStream out, @Nullable KeyTokens tokens) {
    this.out = out;
    this.tokens = tokens;
    begin();
  }

  /**
   * Begins a file.
   *
   * @param header names and values, such as {@code engine}; see {@code
   *     docs/internals/trace-format.md}
   * @param tokens what to write instead of keys, or {@code null} to write them as they are
   */
  public static TraceWriter begin(
      OutputStream out, Map<String, String> header, @Nullable KeyTokens tokens) throws IOException {
    out.write(TraceFormat.fileHeader(TraceFormat.VERSION));
    TraceWriter writer = new TraceWriter(out, tokens);
    writer.writeHeader(header);
    return writer;
  }

  private void writeHeader(Map<String, String> header) throws IOException {
    StringBuilder text = new StringBuilder();
    header.forEach((name, value) ->
        text.append(name).append('=').append(value.replace('\n', ' ')).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    block.put(bytes, 0, Math.min(bytes.length, block.remaining()));
    end(TraceFormat.HEADER);
  }

  /**
   * Adds an operation. One with a key longer than 16 KiB is counted as dropped. A time before that
   * of the previous operation is written as that one's.
   */
  public void append(Operation operation) throws IOException {
    Operation written = operation;
    if (tooLong(operation.key()) || tooLong(operation.to())) {
      dropped(1);
      return;
    }
    if (tokens != null && operation.kind().has(Field.KEY)) {
      written =
          operation.withKeys(
              token(operation.table(), operation.key()), token(operation.table(), operation.to()));
    }
    int before = block.position();
    if (before > TraceFormat.MAX_BLOCK - most(written)) {
      flush();
    }
    encode(written);
    hasOperations = true;
    operations++;
  }

  private boolean tooLong(byte @Nullable [] key) {
    return key != null && (tokens == null ? key.length : tokens.length(key)) > TraceFormat.MAX_KEY;
  }

  private byte @Nullable [] token(String table, byte @Nullable [] key) {
    return key == null ? null : Objects.requireNonNull(tokens).token(table, key);
  }

  /** An upper bound of an operation's bytes. */
  private static int most(Operation operation) {
    byte[] key = operation.key();
    byte[] to = operation.to();
    return 128
        + Math.min(TraceFormat.MAX_NAME, 3 * operation.table().length())
        + (key == null ? 0 : key.length)
        + (to == null ? 0 : to.length);
  }

  /** Notes that operations were left out here. */
  public void dropped(long count) throws IOException {
    if (count > 0) {
      dropped += count;
      if (block.position() > TraceFormat.MAX_BLOCK - 128) {
        flush();
      }
      encode(Operation.lost(count, lastTick << TraceFormat.TICK));
      hasOperations = true;
    }
  }

  private void encode(Operation operation) {
    Kind kind = operation.kind();
    boolean thread = operation.thread() != lastThread;
    boolean table = !operation.table().equals(lastTable);
    boolean outcome = operation.outcome() != Outcome.OK;
    block.put(
        (byte)
            (kind.code()
                | (thread ? TraceFormat.THREAD : 0)
                | (table ? TraceFormat.TABLE : 0)
                | (outcome ? TraceFormat.OUTCOME : 0)));
    if (thread) {
      lastThread = operation.thread();
      varint(lastThread);
    }
    if (table) {
      lastTable = operation.table();
      name(lastTable);
    }
    if (outcome) {
      block.put((byte) operation.outcome().code());
    }
    long tick = Math.max(lastTick, TraceFormat.ticks(operation.time()));
    varint(tick - lastTick);
    lastTick = tick;
    varint(TraceFormat.ticks(Math.max(0, operation.duration())));
    Known known = null;
    if (kind.has(Field.KEY)) {
      known = key(operation.key());
    }
    if (kind.has(Field.RANGE)) {
      key(operation.to());
      block.put((byte) operation.flags());
      varint(operation.limit() + 1);
    }
    if (kind.has(Field.LENGTH)) {
      long last = known == null || kind.has(Field.RANGE) ? 0 : known.length;
      varint(TraceFormat.zigzag(operation.length() - last));
      if (known != null && !kind.has(Field.RANGE) && operation.length() >= 0) {
        known.length = operation.length();
      }
    }
    if (kind.has(Field.COUNT)) {
      varint(operation.count() + 1);
    }
    if (kind.has(Field.TTL)) {
      varint(operation.ttl() + 1);
    }
  }

  private void name(String table) {
    Integer number = tables.putIfAbsent(table, tables.size() + 1);
    varint(number == null ? 0 : number);
    if (number == null) {
      byte[] bytes = table.getBytes(StandardCharsets.UTF_8);
      int length = Math.min(bytes.length, TraceFormat.MAX_NAME);
      varint(length);
      block.put(bytes, 0, length);
    }
  }

  private @Nullable Known key(byte @Nullable [] key) {
    if (key == null) {
      varint(1);
      return null;
    }
    Known known = keys.get(new KeyBytes(key));
    if (known != null) {
      varint(known.number + 2);
      return known;
    }
    known = new Known(keys.size());
    keys.put(new KeyBytes(key), known);
    int common = Math.max(0, Arrays.mismatch(key, lastKey));
    varint(0);
    varint(common);
    varint(key.length - common);
    block.put(key, common, key.length - common);
    lastKey = key;
    return known;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      block.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    block.put((byte) rest);
  }

  /** Ends the block, and hands it to the file. */
  public void flush() throws IOException {
    if (hasOperations) {
      end(TraceFormat.OPERATIONS);
    }
    out.flush();
  }

  private void end(byte type) throws IOException {
    int length = block.position() - TraceFormat.BLOCK_HEADER;
    block.putInt(0, TraceFormat.MARK).putInt(4, type << 24 | length).putInt(8, 0);
    byte[] bytes = block.array();
    block.putInt(8, TraceFormat.crc(bytes, 4, 8 + length));
    out.write(bytes, 0, block.position());
    begin();
  }

  private void begin() {
    keys.clear();
    tables.clear();
    lastKey = new byte[0];
    lastTable = "";
    lastThread = 0;
    hasOperations = false;
    block.clear().position(TraceFormat.BLOCK_HEADER);
    varint(sequence++);
    varint(operations);
    varint(dropped);
    varint(lastTick);
  }

  /** Writes what is left, and that the recording is complete; closes the stream. */
  @Override
  public void close() throws IOException {
    try (out) {
      flush();
      end(TraceFormat.END);
    }
  }

  /** How many operations were written. */
  public long operations() {
    return operations;
  }

  /** How many operations were dropped. */
  public long dropped() {
    return dropped;
  }
}
