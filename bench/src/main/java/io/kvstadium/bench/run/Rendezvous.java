package io.kvstadium.bench.run;

import io.kvstadium.bench.trial.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the clients of a trial wait for one another. The last one to arrive lets all continue; when
 * one fails, none does. Safe for all threads.
 */
final class Rendezvous {
  /**
   * A phase as all clients ran it.
   *
   * @param nanos from the common start signal to the last end
   * @param startNanos from that signal until the last client had begun, at most
   * @param ranNanos of all clients together, each from its own beginning to its own end
   */
  record Window(long nanos, long startNanos, long ranNanos) {}

  private final int count;
  private final BiConsumer<Integer, List<String>> answer;
  private final LongSupplier nanos;
  private final List<Message.@Nullable Arrived> here;
  private final boolean[] ended;
  private final Map<String, long[]> begun = new HashMap<>();
  private final Map<String, Window> windows = new HashMap<>();
  private long opened;
  private @Nullable String failure;

  /**
   * @param answer receives the number of a client, from 0, and what to tell it; must not wait
   * @param nanos the time in nanoseconds, from any origin
   */
  Rendezvous(int count, BiConsumer<Integer, List<String>> answer, LongSupplier nanos) {
    this.count = count;
    this.answer = answer;
    this.nanos = nanos;
    this.here = new ArrayList<>(Collections.nCopies(count, null));
    this.ended = new boolean[count];
  }

  synchronized void arrived(int client, Message.Arrived at) {
    here.set(client, at);
    if (at.step().equals(Message.Arrived.FAILED)) {
      fail(client, at.said());
    }
    if (failure == null) {
      letAllGo();
    } else {
      giveUp();
    }
  }

  private void letAllGo() {
    List<Message.Arrived> all = here.stream().filter(Objects::nonNull).toList();
    if (all.size() < count) {
      return;
    }
    String step = all.getFirst().step();
    for (int i = 0; i < count; i++) {
      String own = all.get(i).step();
      if (!own.equals(step)) {
        fail(i, "is at '" + own + "' while the first one is at '" + step + "'");
        giveUp();
        return;
      }
    }
    String phase = step.substring(step.indexOf(' ') + 1);
    long[] starts = begun.remove(phase);
    if (all.getFirst().ranNanos() >= 0 && starts != null) {
      windows.put(phase, window(starts, all));
    }
    Collections.fill(here, null);
    List<String> said = all.stream().map(Message.Arrived::said).toList();
    opened = nanos.getAsLong();
    for (int i = 0; i < count; i++) {
      answer.accept(i, said);
    }
  }

  private static Window window(long[] starts, List<Message.Arrived> all) {
    long end = 0;
    long last = 0;
    long sum = 0;
    for (int i = 0; i < starts.length; i++) {
      long ran = all.get(i).ranNanos();
      last = Math.max(last, starts[i]);
      end = Math.max(end, starts[i] + ran);
      sum += ran;
    }
    return new Window(end, last, sum);
  }

  /**
   * Called when a client says that it has begun: it did so by now at the latest. The time is known
   * better if its clock is the same as this one.
   */
  synchronized void begun(int client, Message.Begun says) {
    long now = nanos.getAsLong();
    boolean sameClock = says.at() - opened >= 0 && now - says.at() >= 0;
    begun.computeIfAbsent(says.phase(), _ -> new long[count])[client] =
        (sameClock ? says.at() : now) - opened;
  }

  /**
   * Called when a client will not come again.
   *
   * @param why it failed, or {@code null} if it did not
   */
  synchronized void ended(int client, @Nullable String why) {
    ended[client] = true;
    if (why != null) {
      fail(client, why);
    }
    if (failure != null) {
      giveUp();
    }
  }

  private void fail(int client, String why) {
    if (failure == null) {
      failure = "client " + (client + 1) + " of " + count + ": " + why;
    }
  }

  /** Nobody continues; those that have closed the store learn when all have. */
  private void giveUp() {
    boolean all = true;
    for (int i = 0; i < count; i++) {
      Message.Arrived at = here.get(i);
      boolean closed = at != null && at.step().equals(Message.Arrived.FAILED);
      if (at != null && !closed) {
        here.set(i, null);
        answer.accept(i, List.of());
      }
      all &= closed || ended[i];
    }
    for (int i = 0; i < count && all; i++) {
      if (here.get(i) != null) {
        here.set(i, null);
        answer.accept(i, List.of());
      }
    }
  }

  /** Returns why the first client that failed did so, or {@code null}. */
  synchronized @Nullable String failure() {
    return failure;
  }

  /** Returns the window of each phase that all have run. */
  synchronized Map<String, Window> windows() {
    return Map.copyOf(windows);
  }
}
