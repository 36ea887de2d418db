package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a careless program: takes steps, and knows what it may find. Some keys are its own:
 * nobody else writes them, so that it knows their exact values. All other values themselves say
 * where they belong.
 */
final class Misuser implements Runnable {
  private static final List<String> TABLES = List.of(Store.DEFAULT_TABLE, "t0", "t1");
  static final int SHARED_KEYS = 40;

  private final MisuseRun run;
  private final SharedStore shared;
  private final int number;
  private final MisuseSteps steps;
  final SplittableRandom random;
  final OwnEntries own;
  final OwnExpiring expiring;

  private Store store;
  private int opening;
  private boolean tookDroppable;
  private boolean callFailed;
  private volatile String step = "nothing yet";
  private volatile long stepBegan = Long.MAX_VALUE;

  Misuser(MisuseRun run, int number, SplittableRandom random) {
    this.run = run;
    this.shared = run.shared();
    this.number = number;
    this.random = random;
    this.store = shared.get();
    this.steps = new MisuseSteps(store.capabilities(), run.plan().without());
    this.own = new OwnEntries(number);
    this.expiring = new OwnExpiring(number);
  }

  @Override
  public void run() {
    long count = 0;
    try {
      while (run.goesOn()) {
        count++;
        MisuseSteps.Step next = steps.any(random);
        step = "step " + count + ", " + next.name();
        take(next);
      }
    } catch (Throwable e) {
      run.convict("thread " + number + ", " + step, e);
    }
    stepBegan = Long.MAX_VALUE;
  }

  /** A step ends well, or with an exception that is documented. */
  private void take(MisuseSteps.Step next) {
    begin();
    try {
      own.settle(store.table());
      next.action().accept(this);
    } catch (ClosedException e) {
      if (shared.isLeaving(store) && random.nextInt(10) > 0) {
        stepBegan = Long.MAX_VALUE;
        shared.awaitOpen();
      }
    } catch (BadArgumentException
        | ConflictException
        | LockedException
        | UnsupportedException
        | OnPurpose e) {
      // as documented
    } catch (FullException e) {
      if (!shared.hasLimitOfReaders()) {
        throw e;
      }
    } catch (StadiumException e) {
      if (!isOfSpoiltBlock(e)) {
        throw e;
      }
    }
    if (random.nextInt(3) == 0) {
      Thread.interrupted();
    }
  }

  /** Whether a block was not applied because a call in it had failed, and it went on. */
  private static boolean isOfSpoiltBlock(StadiumException e) {
    return e.getClass() == StadiumException.class
        && (e.getCause() instanceof StadiumException || e.getCause() instanceof OnPurpose);
  }

  /** Notes whether a call failed, after which the program went on. */
  void setCallFailed(boolean failed) {
    callFailed = failed;
  }

  boolean hasCallFailed() {
    return callFailed;
  }

  private void begin() {
    stepBegan = System.nanoTime();
    store = shared.get();
    int now = shared.opening(); // after get(): what is forgotten too early is in no later store
    if (now != opening && !can(Capability.PERSISTENT)) {
      own.forget();
      expiring.forget();
    }
    opening = now;
  }

  boolean isInStepFor(Duration limit) {
    return System.nanoTime() - stepBegan > limit.toNanos() && stepBegan != Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return step;
  }

  /** Thrown by the program itself out of a block, a reader or an iterator. */
  static final class OnPurpose extends RuntimeException {
    @java.io.Serial private static final long serialVersionUID = 1;
  }

  Store store() {
    return store;
  }

  void countCheck() {
    run.countCheck();
  }

  SharedStore shared() {
    return shared;
  }

  Lost.Pool lost() {
    return run.lost();
  }

  void interruptOne() {
    run.interruptOne(random);
  }

  boolean can(Capability capability) {
    return store.capabilities().contains(capability);
  }

  /** True once in the given number of times, on average. */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  String anyName() {
    return can(Capability.TABLES) ? TABLES.get(random.nextInt(TABLES.size())) : Store.DEFAULT_TABLE;
  }

  /** A name for a table that may be dropped. */
  String anyNameToDrop() {
    return TABLES.get(1 + random.nextInt(TABLES.size() - 1));
  }

  /** A table that exists, even where none can be created. */
  Table tableInside() {
    String name = anyName();
    tookDroppable |= !name.equals(Store.DEFAULT_TABLE);
    try {
      return store.table(name);
    } catch (BadArgumentException e) {
      if (name.equals(Store.DEFAULT_TABLE)) {
        throw e;
      }
      return store.table();
    }
  }

  void forgetTables() {
    tookDroppable = false;
  }

  /** Whether one was taken since then that may be dropped, so that it may be refused. */
  boolean tookDroppable() {
    return tookDroppable;
  }

  byte[] oneOfFewKeys() {
    return sharedKey(random.nextInt(3));
  }

  byte[] anyKey() {
    return sharedKey(random.nextInt(SHARED_KEYS));
  }

  byte[] sharedKey(int number) {
    return bytes("s%02d".formatted(number));
  }

  /** The options of a transaction that soon gives up. */
  TransactionOptions transactionOptions() {
    return TransactionOptions.DEFAULT
        .mode(anyMode())
        .attempts(3)
        .lockTimeout(Duration.ofMillis(100));
  }

  private TransactionMode anyMode() {
    boolean optimistic = can(Capability.OPTIMISTIC_TRANSACTION);
    boolean pessimistic = can(Capability.PESSIMISTIC_TRANSACTION);
    return optimistic && (!pessimistic || random.nextBoolean())
        ? TransactionMode.OPTIMISTIC
        : TransactionMode.PESSIMISTIC;
  }

  /** A value for this place; made after the table was taken, see {@link SharedStore#dropped}. */
  byte[] value(String table, byte[] key) {
    int filler = oneIn(40) ? 5_000 : random.nextInt(150);
    return Proof.make(table, key, shared.tick(), filler);
  }

  /** Reads in one of the ways there are, and checks what the value says about itself. */
  byte @Nullable [] read(TableReader from, String table, byte[] key, Map<String, Long> dropped) {
    byte[] value =
        switch (random.nextInt(4)) {
          case 0 -> from.get(key, Misuser::copy);
          case 1 -> from.getAll(List.of(key, key)).getLast();
          default -> from.get(key);
        };
    if (value != null) {
      check(table, key, value, dropped);
    }
    return value;
  }

  private static byte[] copy(java.lang.foreign.MemorySegment lent) {
    return lent.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
  }

  /**
   * Checks a value that was found.
   *
   * @param dropped as it was when the reading began
   */
  void check(String table, byte[] key, byte[] value, Map<String, Long> dropped) {
    long stamp = Proof.check(table, key, value);
    if (stamp < dropped.getOrDefault(table, 0L)) {
      throw new WrongAnswer(
          "table %s was dropped, and yet has the value that was put under %s before"
              .formatted(table, new String(key, java.nio.charset.StandardCharsets.US_ASCII)));
    }
    run.countCheck();
  }

  /** Demands that an answer about an own entry is what it must be. */
  void checkOwn(String how, int entry, byte @Nullable [] value) {
    own.check(how, entry, value);
    run.countCheck();
  }

  /** What nobody else is involved in is refused only while the store closes, or by a lock. */
  void strictly(Runnable call) {
    Store used = store;
    try {
      call.run();
    } catch (ClosedException e) {
      if (!shared.isLeaving(used)) {
        throw new WrongAnswer("refused, although nobody closed anything: " + e, e);
      }
      throw e;
    } catch (BadArgumentException | LockedException | UnsupportedException e) {
      throw new WrongAnswer("refused without a reason: " + e, e);
    }
  }

  /** Demands that a call is refused because of the place that it is made from. */
  static void refused(String call, Runnable runnable) {
    try {
      runnable.run();
    } catch (BadArgumentException e) {
      return;
    }
    throw new WrongAnswer(call + " was not refused");
  }

  /** What this thread wrote last must be there. */
  void checkAtTheEnd(Store last) {
    if (can(Capability.PERSISTENT)) {
      own.settle(last.table());
      own.entries(entry -> checkOwn("after the end", entry, last.table().get(own.key(entry))));
    }
  }
}
