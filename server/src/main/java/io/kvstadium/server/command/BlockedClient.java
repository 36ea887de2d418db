package io.kvstadium.server.command;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Replies;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Task;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.transfer.redis.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for one of its keys to hold something. It is served during another request's
 * turn to write, in the same commit group, and answered with that group; or any thread {@link #end
 * ends} the wait. Whichever comes first decides: nothing is taken for a request whose wait has
 * ended.
 */
public final class BlockedClient implements Client.Blocked, Task, Comparable<BlockedClient> {
  private static final AtomicLong LAST = new AtomicLong();

  /** So that times in nanoseconds do not overflow: 30 years. */
  private static final long LONGEST_MILLIS = 1_000_000_000_000L;

  private enum State {
    /** The commit group in which it began is not written yet. */
    BEGINNING,
    WAITING,
    /** Served, in a commit group that is not written yet. */
    TAKEN,
    ENDED
  }

  /**
   * The arguments of a blocking command.
   *
   * @param keys to be tried in this order
   * @param millis how long it waits; 0 for ever
   * @param ready whether a key has what it waits for
   * @param take takes from a key that is ready, and answers
   */
  public record Wanted(
      List<byte[]> keys,
      Kind kind,
      long millis,
      BiPredicate<Call, byte[]> ready,
      BiConsumer<Call, byte[]> take) {
    /** How long to wait, given in seconds. */
    public static long millis(Call call, int i) {
      double millis;
      try {
        millis = Numbers.real(call.arg(i)) * 1_000;
      } catch (ReplyException e) {
        throw ReplyException.error("timeout is not a float or out of range");
      }
      if (millis > Long.MAX_VALUE - call.now()) {
        throw ReplyException.error("timeout is out of range");
      }
      if (millis < 0) {
        throw ReplyException.error("timeout is negative");
      }
      return (long) Math.ceil(millis);
    }

    /** The keys of a request: all arguments but the last. */
    public static List<byte[]> keys(Call call) {
      return Arrays.asList(call.request()).subList(1, call.size() - 1);
    }

    /** Waits for a key to hold anything of a kind. */
    public Wanted(List<byte[]> keys, Kind kind, long millis, BiConsumer<Call, byte[]> take) {
      this(
          keys,
          kind,
          millis,
          (call, key) -> {
            StoredValue storedValue = call.keys().head(key);
            return storedValue != null && storedValue.kind() == kind;
          },
          take);
    }
  }

  private final long number = LAST.incrementAndGet();
  private final Call call;
  private final Wanted wanted;
  private final int database;
  private final boolean silent;
  private final long began = System.nanoTime();
  private final AtomicReference<State> state = new AtomicReference<>(State.BEGINNING);
  private @Nullable Runnable answered;
  private volatile @Nullable Future<?> timer;

  private BlockedClient(Call call, Wanted wanted) {
    this.call = call;
    this.wanted = wanted;
    this.database = call.client().database;
    this.silent = call.client().replies != Replies.ALL;
  }

  /** Answers a request from the first of its keys that holds something, or makes it wait. */
  public static void run(Call call, Wanted wanted) {
    for (byte[] key : wanted.keys()) {
      if (call.keys().find(key, wanted.kind()) != null) {
        wanted.take().accept(call, key);
        return;
      }
    }
    await(call, wanted);
  }

  /** Makes a request wait. */
  public static void await(Call call, Wanted wanted) {
    if (!call.mayWait()) {
      call.reply().nilArray();
      return;
    }
    BlockedClient blockedClient = new BlockedClient(call, wanted);
    blockedClient.blockedClients().add(blockedClient);
    call.client().blocked = blockedClient;
  }

  private BlockedClients blockedClients() {
    return call.server().blockedClients();
  }

  int database() {
    return database;
  }

  boolean readsStream() {
    return wanted.kind() == Kind.STREAM;
  }

  List<byte[]> keys() {
    return wanted.keys();
  }

  /** Not yet while its own commit group is being written. */
  @Override
  public boolean waits() {
    State now = state.get();
    return now == State.WAITING || now == State.TAKEN;
  }

  /** Orders by when they began. */
  @Override
  public int compareTo(BlockedClient other) {
    return Long.compare(number, other.number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  /** Takes what it waits for, if that is there. Only during a turn to write. */
  void serve(Databases.View view) {
    Call now = call.in(view);
    for (byte[] key : wanted.keys()) {
      if (wanted.ready().test(now, key)) {
        if (!call.client().gone && take()) {
          blockedClients().remove(this);
          view.commitGroup().join(this);
          call.runner().run(now, each -> wanted.take().accept(each, key));
        }
        return;
      }
    }
  }

  private boolean take() {
    return state.compareAndSet(State.WAITING, State.TAKEN)
        || state.compareAndSet(State.BEGINNING, State.TAKEN);
  }

  @Override
  public void begun(Runnable whenAnswered) {
    answered = whenAnswered;
    if (state.compareAndSet(State.BEGINNING, State.WAITING)) {
      if (wanted.millis() > 0) {
        long millis = Math.min(wanted.millis(), LONGEST_MILLIS);
        timer = call.server().background().after(millis, this::timeout);
      }
      endIfGone();
    }
  }

  @Override
  public void abandon() {
    state.set(State.ENDED);
    blockedClients().remove(this);
    call.client().blocked = null;
  }

  private void endIfGone() {
    if (call.client().gone) { // it may have gone before this was waiting
      end(_ -> {});
    }
  }

  @Override
  public boolean timeout() {
    return end(ReplyWriter::nilArray);
  }

  @Override
  public boolean end(Consumer<ReplyWriter> answer) {
    if (!state.compareAndSet(State.WAITING, State.ENDED)) {
      return false;
    }
    answer.accept(call.reply());
    if (!call.client().gone) {
      call.runner().waited(call.command());
    }
    call.server().executor().write((Chore) _ -> blockedClients().remove(this));
    answer();
    return true;
  }

  private void answer() {
    Future<?> pending = timer;
    if (pending != null) {
      pending.cancel(false);
    }
    if (silent) {
      call.reply().reset(0);
    }
    call.client().blocked = null;
    if (answered != null) {
      answered.run();
    }
  }

  /** Does nothing: it runs in the commit group of the request that serves it. */
  @Override
  public void execute(CommitGroup commitGroup) {}

  /** The commit group that served it is written. */
  @Override
  public void done() {
    if (state.compareAndSet(State.TAKEN, State.ENDED)) {
      answer();
    }
  }

  /** What it was served with was not written: it continues waiting, at its old place. */
  @Override
  public void failed(RuntimeException cause) {
    if (state.get() == State.TAKEN) {
      call.reply().reset(0);
      blockedClients().add(this);
      state.set(State.WAITING);
      endIfGone();
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      if (wanted.millis() > 0 && waited >= wanted.millis()) {
        timeout();
      }
    }
  }

  @Override
  public boolean needsSync() {
    return call.client().needsSync;
  }
}
