package io.kvstadium.server.figures;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a server. Safe for all threads. */
public final class Statistics {
  private static final int SAMPLES = 16;

  /** Only the first codes are counted: some errors begin with what a client sent. */
  private static final int MAX_CODES = 64;

  private final String run = random();
  private final long started;
  private final LongAdder executed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  private final long[] times = new long[SAMPLES];
  private final long[] counts = new long[SAMPLES];
  private int samples;

  /**
   * Starts counting.
   *
   * @param started Unix time in milliseconds
   */
  public Statistics(long started) {
    this.started = started;
  }

  /** When the server started; Unix time in milliseconds. */
  public long started() {
    return started;
  }

  /** A request was executed, or refused. */
  public void executedOne() {
    executed.increment();
  }

  /** How many requests were executed. */
  public long executed() {
    return executed.sum();
  }

  /** How many errors were answered. */
  public long failed() {
    return failed.sum();
  }

  private static String random() {
    byte[] bytes = new byte[20];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The ID of this run of the server, in 40 hexadecimal digits. */
  public String run() {
    return run;
  }

  public void received(long bytes) {
    received.add(bytes);
  }

  public void sent(long bytes) {
    sent.add(bytes);
  }

  /** A client was not let in. */
  public void rejectedOne() {
    rejected.increment();
  }

  /** The sweep has removed this many keys. */
  public void expired(long keys) {
    expired.add(keys);
  }

  /** A key was removed for want of room. */
  public void evicted() {
    evicted.increment();
  }

  /** A request that only reads has found and missed these numbers of keys. */
  public void lookedUp(long found, long missed) {
    if (found > 0) {
      hits.add(found);
    }
    if (missed > 0) {
      misses.add(missed);
    }
  }

  /** An error was answered. */
  public void failed(String text) {
    failed.increment();
    int end = text.indexOf(' ');
    String code = end < 0 ? text : text.substring(0, end);
    LongAdder count = errors.get(code);
    if (count == null && errors.size() < MAX_CODES) {
      count = errors.computeIfAbsent(code, _ -> new LongAdder());
    }
    if (count != null) {
      count.increment();
    }
  }

  /** The number of requests executed so far; called ten times a second. */
  public synchronized void sample(long executed) {
    times[samples % SAMPLES] = System.nanoTime();
    counts[samples % SAMPLES] = executed;
    samples++;
  }

  /** Requests a second, over the last samples; -1 if there are none. */
  public synchronized long perSecond() {
    if (samples < 2) {
      return -1;
    }
    int last = (samples - 1) % SAMPLES;
    int first = samples <= SAMPLES ? 0 : samples % SAMPLES;
    long nanos = Math.max(1, times[last] - times[first]);
    long requests = Math.max(0, counts[last] - counts[first]); // they may have been reset
    return Math.round((double) requests * TimeUnit.SECONDS.toNanos(1) / nanos);
  }

  public long received() {
    return received.sum();
  }

  public long sent() {
    return sent.sum();
  }

  public long rejected() {
    return rejected.sum();
  }

  public long expired() {
    return expired.sum();
  }

  public long evictions() {
    return evicted.sum();
  }

  public long hits() {
    return hits.sum();
  }

  public long misses() {
    return misses.sum();
  }

  /** How often each code of an error was answered. */
  public Map<String, Long> errors() {
    Map<String, Long> found = new TreeMap<>();
    errors.forEach((code, count) -> found.put(code, count.sum()));
    return found;
  }

  public void reset() {
    executed.reset();
    failed.reset();
    received.reset();
    sent.reset();
    rejected.reset();
    expired.reset();
    evicted.reset();
    hits.reset();
    misses.reset();
    errors.clear();
  }
}
