package io.kvstadium.server.figures;

import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Invocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The latest requests that took long to execute. Safe for all threads. */
public final class SlowLog {
  private static final int WORDS = 32;
  private static final int BYTES = 128;

  /**
   * A slow request.
   *
   * @param when Unix time in milliseconds
   */
  public record Slow(
      long id, long when, long micros, List<String> arguments, String address, String name) {}

  private final Deque<Slow> latest = new ArrayDeque<>();
  private volatile long thresholdMicros = 10_000;
  private long max = 128;
  private long next;

  /**
   * A request was executed in the given number of nanoseconds.
   *
   * @param when Unix time in milliseconds
   * @param address of its client
   * @param name of its client
   */
  public void executed(long nanos, Invocation call, long when, String address, String name) {
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    if (thresholdMicros >= 0 && micros >= thresholdMicros && !call.command().is(Flag.SECRET)) {
      add(micros, call, when, address, name);
    }
  }

  private synchronized void add(
      long micros, Invocation call, long when, String address, String name) {
    int count = Math.min(call.size(), WORDS);
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] argument = call.arg(i);
      boolean last = i == WORDS - 1 && call.size() > WORDS;
      arguments.add(
          last
              ? "... (%d more arguments)".formatted(call.size() - WORDS + 1)
              : argument.length > BYTES
                  ? Bytes.start(argument, BYTES)
                      + "... (%d more bytes)".formatted(argument.length - BYTES)
                  : Bytes.text(argument));
    }
    latest.addFirst(new Slow(next++, when, micros, arguments, address, name));
    shorten();
  }

  private void shorten() {
    while (latest.size() > max) {
      latest.removeLast();
    }
  }

  public long thresholdMicros() {
    return thresholdMicros;
  }

  /** Sets from how many microseconds on requests are kept; negative for none. */
  public void thresholdMicros(long micros) {
    thresholdMicros = micros;
  }

  public synchronized long max() {
    return max;
  }

  public synchronized void max(long count) {
    max = count;
    shorten();
  }

  /** The latest first. */
  public synchronized List<Slow> latest(int count) {
    return latest.stream().limit(count).toList();
  }

  public synchronized int size() {
    return latest.size();
  }

  public synchronized void clear() {
    latest.clear();
  }
}
