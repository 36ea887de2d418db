package io.kvstadium.trace;

import io.kvstadium.store.CorruptException;
import io.kvstadium.trace.Kind.Field;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a trace. Damaged blocks are skipped, and reported as {@link Kind#LOST}. */
public final class TraceReader implements Closeable {
  private final InputStream in;

  /** What was read of the file and not yet used, from {@code start} to {@code end}. */
  private final byte[] window = new byte[2 * TraceFormat.MAX_BLOCK];

  private int start;
  private int end;

  private Map<String, String> header = Map.of();
  private ByteBuffer block = ByteBuffer.allocate(0);
  private final List<byte[]> keys = new ArrayList<>();
  private long[] lengths = new long[1024];
  private final List<String> tables = new ArrayList<>();
  private byte[] lastKey = new byte[0];
  private String lastTable = "";
  private int lastThread;
  private long lastTick;

  /** Added to the ticks of a recording that was appended. */
  private long offset;

  private long nextSequence;
  private long operations;
  private long damaged;
  private long skipped;
  private long lost;
  private boolean complete;
  private @Nullable Operation pending;

  /**
   * Reads the header.
   *
   * @throws CorruptException if this is not a trace, or one of a newer version
   */
  public TraceReader(InputStream in) throws IOException {
    this.in = in;
    fill(TraceFormat.FILE_HEADER);
    byte[] magic = TraceFormat.MAGIC;
    if (!Arrays.equals(window, 0, Math.min(end, magic.length), magic, 0, magic.length)) {
      throw new CorruptException(
          "this is not a trace of KV Stadium, which begins with 89 4b 56 54 52 41 43 0a: convert"
              + " other recordings with 'stadium trace import'");
    }
    if (end >= TraceFormat.FILE_HEADER && !isReadable(window[magic.length])) {
      throw new CorruptException(
          "this trace has version "
              + window[magic.length]
              + ", and this program reads versions up to "
              + TraceFormat.VERSION
              + ": use the program that wrote it, or a newer one");
    }
    if (end < TraceFormat.FILE_HEADER) {
      start = end;
    } else {
      if (!isFileHeader()) {
        damaged++;
        skipped += TraceFormat.FILE_HEADER;
      }
      start = TraceFormat.FILE_HEADER;
    }
    readBlock();
  }

  /** The names and values of the last header read; empty if it is damaged. */
  public Map<String, String> header() {
    return header;
  }

  /** The next operation, or {@code null} at the end. */
  public @Nullable Operation next() throws IOException {
    while (true) {
      if (pending != null) {
        Operation operation = pending;
        pending = null;
        return operation;
      }
      if (block.hasRemaining()) {
        operations++;
        Operation operation = decode();
        if (operation.kind() == Kind.LOST) {
          operations--;
          lost += Math.max(0, operation.count());
        }
        return operation;
      }
      if (!readBlock() && pending == null) {
        return null;
      }
    }
  }

  /** How many stretches of the file could not be read. */
  public long damaged() {
    return damaged;
  }

  /** How many bytes could not be read. */
  public long skipped() {
    return skipped;
  }

  /** How many operations are known to be missing: dropped by the recorder, or in lost blocks. */
  public long lost() {
    return lost;
  }

  /** Whether the last recording in the file was ended properly: not until all was read. */
  public boolean isComplete() {
    return complete;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Has at least {@code bytes} in the window, unless the file ends before. */
  private boolean fill(int bytes) throws IOException {
    if (end - start >= bytes) {
      return true;
    }
    System.arraycopy(window, start, window, 0, end - start);
    end -= start;
    start = 0;
    while (end < bytes) {
      int read = in.read(window, end, window.length - end);
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  private boolean isFileHeader() {
    int version = window[start + TraceFormat.MAGIC.length];
    byte[] expected = TraceFormat.fileHeader(isReadable(version) ? version : TraceFormat.VERSION);
    return Arrays.equals(window, start, start + expected.length, expected, 0, expected.length);
  }

  private static boolean isReadable(int version) {
    return version >= 1 && version <= TraceFormat.VERSION;
  }

  /** Makes the next block that is whole the current one; false at the end of the file. */
  private boolean readBlock() throws IOException {
    long before = skipped;
    while (fill(TraceFormat.BLOCK_HEADER)) {
      if (fill(TraceFormat.FILE_HEADER) && isFileHeader()) { // files that were put together
        start += TraceFormat.FILE_HEADER;
        continue;
      }
      ByteBuffer head = ByteBuffer.wrap(window, start, TraceFormat.BLOCK_HEADER);
      if (head.getInt() == TraceFormat.MARK) {
        int typeAndLength = head.getInt();
        int crc = head.getInt();
        int length = typeAndLength & 0xff_ffff;
        if (length <= TraceFormat.MAX_CONTENT && fill(TraceFormat.BLOCK_HEADER + length)) {
          Arrays.fill(window, start + 8, start + TraceFormat.BLOCK_HEADER, (byte) 0);
          if (TraceFormat.crc(window, start + 4, 8 + length) == crc) {
            noteSkipped(before);
            int content = start + TraceFormat.BLOCK_HEADER;
            start = content + length;
            use((byte) (typeAndLength >> 24), content, length);
            return true;
          }
          ByteBuffer.wrap(window).putInt(start + 8, crc);
        }
      }
      start++;
      skipped++;
    }
    skipped += end - start;
    start = end;
    noteSkipped(before);
    if (skipped > before) {
      complete = false;
      pending = Operation.lost(-1, time());
    }
    return false;
  }

  private void noteSkipped(long before) {
    damaged += skipped > before ? 1 : 0;
  }

  private long time() {
    return offset + (lastTick << TraceFormat.TICK);
  }

  private void use(byte type, int content, int length) {
    block = ByteBuffer.wrap(window, content, length).slice();
    long sequence = varint();
    long operationsBefore = varint();
    varint(); // dropped in all
    long tick = varint();
    if (type == TraceFormat.HEADER) {
      readHeader();
      return;
    }
    if (sequence != nextSequence) { // those between were skipped
      long missing = Math.max(0, operationsBefore - operations);
      lost += missing;
      pending = Operation.lost(missing, time());
    }
    nextSequence = sequence + 1;
    operations = operationsBefore;
    lastTick = tick;
    keys.clear();
    tables.clear();
    lastKey = new byte[0];
    lastTable = "";
    lastThread = 0;
    complete = type == TraceFormat.END;
    if (type != TraceFormat.OPERATIONS) { // of a later version, or the end
      block = ByteBuffer.allocate(0);
    }
  }

  private void readHeader() {
    Map<String, String> read = new LinkedHashMap<>();
    byte[] text = new byte[block.remaining()];
    block.get(text);
    new String(text, StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          int equal = line.indexOf('=');
          if (equal > 0) {
            read.put(line.substring(0, equal), line.substring(equal + 1));
          }
        });
    if (nextSequence > 0) { // appended to an earlier recording
      offset = Math.max(time(), offset + apart(header, read));
      pending = Operation.lost(0, offset);
    }
    header = read;
    nextSequence = 1;
    operations = 0;
    lastTick = 0;
    complete = false;
  }

  /** The nanoseconds between the beginnings of two recordings; 0 if the clock was set back. */
  private static long apart(Map<String, String> first, Map<String, String> second) {
    try {
      return Math.max(
          0,
          1_000_000
              * (Long.parseLong(second.getOrDefault("began_ms", "0"))
                  - Long.parseLong(first.getOrDefault("began_ms", "0"))));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The checksum matched, so that anything invalid was written so. */
  private Operation decode() {
    try {
      return decodeOne();
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new CorruptException(
          "this trace has a block with a valid checksum that is not of its version: the program"
              + " that wrote it has a fault ("
              + e
              + ")",
          e);
    }
  }

  private Operation decodeOne() {
    int first = block.get();
    Kind kind = Kind.of(first & 0x1f);
    if ((first & TraceFormat.THREAD) != 0) {
      lastThread = (int) varint();
    }
    if ((first & TraceFormat.TABLE) != 0) {
      lastTable = name();
    }
    Outcome outcome = (first & TraceFormat.OUTCOME) == 0 ? Outcome.OK : Outcome.of(block.get());
    lastTick += varint();
    long duration = varint() << TraceFormat.TICK;
    byte[] key = null;
    int number = -1;
    if (kind.has(Field.KEY)) {
      number = key();
      key = number < 0 ? null : keys.get(number);
    }
    byte[] to = null;
    int flags = 0;
    long limit = -1;
    if (kind.has(Field.RANGE)) {
      int upper = key();
      to = upper < 0 ? null : keys.get(upper);
      flags = block.get();
      limit = varint() - 1;
      number = -1;
    }
    long length = -1;
    if (kind.has(Field.LENGTH)) {
      length = TraceFormat.unzigzag(varint()) + (number < 0 ? 0 : lengths[number]);
      if (number >= 0 && length >= 0) {
        lengths[number] = length;
      }
    }
    Operation own =
        Operation.of(kind, outcome, lastThread, lastTable, key, time(), duration, length);
    if (kind.has(Field.RANGE)) {
      own = own.upTo(to, limit, flags);
    }
    if (kind.has(Field.COUNT)) {
      own = own.counting(varint() - 1);
    }
    return kind.has(Field.TTL) ? own.expiring(varint() - 1) : own;
  }

  private String name() {
    int number = (int) varint();
    if (number > 0) {
      return tables.get(number - 1);
    }
    byte[] bytes = new byte[Math.min((int) varint(), block.remaining())];
    block.get(bytes);
    tables.add(new String(bytes, StandardCharsets.UTF_8));
    return tables.getLast();
  }

  /** The number of a key in the block, or -1 for none. */
  private int key() {
    int code = (int) varint();
    if (code > 0) {
      return code - 2;
    }
    int common = (int) varint();
    int rest = (int) varint();
    if (common > lastKey.length || rest > block.remaining()) {
      throw new IllegalArgumentException("a key is longer than its block");
    }
    byte[] key = Arrays.copyOf(lastKey, common + rest);
    block.get(key, common, rest);
    lastKey = key;
    if (keys.size() == lengths.length) {
      lengths = Arrays.copyOf(lengths, 2 * lengths.length);
    }
    lengths[keys.size()] = 0;
    keys.add(key);
    return keys.size() - 1;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = block.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
