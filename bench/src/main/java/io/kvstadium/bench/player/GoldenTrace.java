package io.kvstadium.bench.player;

import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A trace whose answer is known to the byte, because its operations are also done on a map. Several
 * after one another share the map and the file of values.
 */
public final class GoldenTrace {
  private final NavigableMap<byte[], byte[]> model;
  private final ByteArrayOutputStream values;
  private final List<Operation> operations = new ArrayList<>();
  private long steps; // of a call of several
  private boolean inside;
  private boolean reads;

  private long calls;
  private long done;
  private long entries;
  private long readBytes;
  private long writtenBytes;
  private long misses;
  private boolean wrong;

  /** One on an empty store. */
  public GoldenTrace() {
    this(new TreeMap<>(Arrays::compareUnsigned), new ByteArrayOutputStream());
  }

  private GoldenTrace(NavigableMap<byte[], byte[]> model, ByteArrayOutputStream values) {
    this.model = model;
    this.values = values;
  }

  /** The next one, on what this one leaves. */
  public GoldenTrace next() {
    return new GoldenTrace(model, values);
  }

  /** What the store has after it. */
  public NavigableMap<byte[], byte[]> model() {
    return model;
  }

  /**
   * What a player must answer.
   *
   * @param calls that have a latency
   * @param wrong whether something must be found to be other than in the trace
   */
  public record Expected(
      long calls,
      long operations,
      long entries,
      long readBytes,
      long writtenBytes,
      long misses,
      boolean wrong) {}

  public Expected expected() {
    return new Expected(calls, done, entries, readBytes, writtenBytes, misses, wrong);
  }

  /** Writes the trace and its values. */
  public void write(Path trace, Path valueFile) throws IOException {
    Files.write(valueFile, values.toByteArray());
    try (TraceWriter out = TraceWriter.begin(Files.newOutputStream(trace), Map.of(), null)) {
      for (Operation each : operations) {
        out.append(each);
      }
    }
  }

  public void put(byte[] key, byte[] value) {
    value(value);
    add(Operation.of(Kind.PUT, Outcome.OK, 0, "", key, 0, 0, value.length));
    model.put(key, value);
    wrote(key.length + (long) value.length);
  }

  public void delete(byte[] key) {
    add(Operation.of(Kind.DELETE, Outcome.OK, 0, "", key, 0, 0, -1));
    model.remove(key);
    wrote(key.length);
  }

  /** A get that says truly whether it hits, and what it finds. */
  public void get(byte[] key) {
    get(key, model.get(key));
  }

  /** A get that says what it finds; if that is not true, the player must notice. */
  public void get(byte[] key, byte @Nullable [] said) {
    byte[] found = model.get(key);
    if (said != null) {
      value(said);
    }
    int length = said == null ? -1 : said.length;
    add(Operation.of(Kind.GET, said == null ? Outcome.MISS : Outcome.OK, 0, "", key, 0, 0, length));
    entries++;
    readBytes += key.length + (found == null ? 0 : found.length);
    misses += said != null && found == null ? 1 : 0;
    wrong |= found != null && !Arrays.equals(said, found);
    reads = true;
    call(1);
  }

  /** A scan that says truly what it finds. */
  public void scan(byte[] from, int limit) {
    scan(from, limit, model.get(from), Math.min(limit, model.tailMap(from).size()));
  }

  /**
   * A scan that says what it finds.
   *
   * @param first the value of the entry that has the key, or {@code null} if none has
   */
  public void scan(byte[] from, int limit, byte @Nullable [] first, long count) {
    if (first != null) {
      value(first);
    }
    scan(from, first == null ? Outcome.MISS : Outcome.OK, limit, count);
    wrong |= first != null && !Arrays.equals(first, model.get(from));
    List<Map.Entry<byte[], byte[]>> found =
        model.tailMap(from).entrySet().stream().limit(limit).toList();
    read(found, count);
  }

  /** A scan of everything. */
  public void scanAll() {
    scan(null, Outcome.OK, -1, model.size());
    read(model.entrySet(), model.size());
  }

  private void scan(byte @Nullable [] from, Outcome outcome, long limit, long count) {
    add(
        Operation.of(Kind.SCAN, outcome, 0, "", from, 0, 0, -1)
            .upTo(null, limit, 0)
            .counting(count));
  }

  private void read(Iterable<Map.Entry<byte[], byte[]>> found, long said) {
    long count = 0;
    for (Map.Entry<byte[], byte[]> each : found) {
      count++;
      readBytes += each.getKey().length + each.getValue().length;
    }
    entries += count;
    wrong |= said != count;
    call(1);
  }

  /** What follows is one call, up to {@link #end}. */
  public void begin() {
    add(Operation.of(Kind.BATCH, Outcome.OK, 0, "", null, 0, 0, -1));
    inside = true;
    reads = false;
    steps = 0;
  }

  public void end() {
    add(Operation.of(Kind.BATCH_END, Outcome.OK, 0, "", null, 0, 0, -1));
    inside = false;
    call(reads ? 1 : steps);
  }

  /** A get, and a put of the same key. */
  public void change(byte[] key, byte[] value) {
    begin();
    get(key);
    put(key, value);
    end();
    readBytes -= key.length; // it has its key once
  }

  private void wrote(long bytes) {
    entries++;
    writtenBytes += bytes;
    call(1);
  }

  private void call(long count) {
    if (inside) {
      steps += count;
    } else {
      calls++;
      done += count;
    }
  }

  private void value(byte[] bytes) {
    long at = values.size();
    values.writeBytes(bytes);
    add(Operation.of(Kind.VALUE, Outcome.OK, 0, "", null, 0, 0, -1).counting(at));
  }

  private void add(Operation operation) {
    operations.add(operation);
  }
}
