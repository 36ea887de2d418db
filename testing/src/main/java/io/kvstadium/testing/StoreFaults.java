package io.kvstadium.testing;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.Transaction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls of a store fail or take long, to test what an application does then: fail the first
 * call, then the second, and so on until the application has made all of its own.
 *
 * <pre>{@code
 * StoreFaults faults = new StoreFaults();
 * Store store = faults.on(Stadium.open("memory:"));
 * faults.failAt(3); // the third call from here
 * }</pre>
 *
 * <p>What may read or write counts as a call, on the store and its tables, cursors, snapshots and
 * transactions; {@code close}, names and capabilities never fail. A batch is one call. A call that
 * fails does nothing. Thread-safe.
 */
public final class StoreFaults {
  private static final Set<String> NO_CALLS =
      Set.of(
          "url",
          "engine",
          "capabilities",
          "limits",
          "durability",
          "table",
          "name",
          "on",
          "key",
          "rollback",
          "record",
          "recording",
          "close");

  /** The interfaces whose values are wrapped, the more special ones first. */
  private static final List<Class<?>> WRAPPED =
      List.of(
          Store.class,
          Table.class,
          TableReader.class,
          Cursor.class,
          Snapshot.class,
          Transaction.class,
          Batch.class);

  private long calls;
  private long first = Long.MAX_VALUE;
  private long last;
  private Supplier<? extends RuntimeException> failure = StoreFaults::planned;
  private Duration delay = Duration.ZERO;

  /** The same store, with these faults; closing it closes the store. */
  public Store on(Store store) {
    return (Store) Objects.requireNonNull(wrapped(store));
  }

  /** Lets the n-th call from here fail with a {@link StoreIoException}; 1 is the next. */
  public StoreFaults failAt(long n) {
    return failAt(n, StoreFaults::planned);
  }

  /** Lets the n-th call from here fail; 1 is the next. */
  public synchronized StoreFaults failAt(long n, Supplier<? extends RuntimeException> with) {
    return fail(n, calls + n, with);
  }

  /** Lets the n-th call from here fail and all after it, as on a disk that is gone. */
  public synchronized StoreFaults failFrom(long n, Supplier<? extends RuntimeException> with) {
    return fail(n, Long.MAX_VALUE, with);
  }

  private StoreFaults fail(long n, long until, Supplier<? extends RuntimeException> with) {
    if (n < 1) {
      throw new IllegalArgumentException("call " + n + ": the next call is number 1");
    }
    first = calls + n;
    last = until;
    failure = with;
    return this;
  }

  /** Lets each call begin so much later. */
  public synchronized StoreFaults delay(Duration newDelay) {
    delay = newDelay;
    return this;
  }

  /** From here on nothing fails and nothing is late. */
  public synchronized StoreFaults clear() {
    first = Long.MAX_VALUE;
    delay = Duration.ZERO;
    return this;
  }

  /** How many calls there were, with those that failed. */
  public synchronized long calls() {
    return calls;
  }

  private static StoreIoException planned() {
    return new StoreIoException("this call fails on purpose (StoreFaults)");
  }

  private void call() {
    RuntimeException thrown;
    Duration wait;
    synchronized (this) {
      calls++;
      thrown = calls >= first && calls <= last ? failure.get() : null;
      wait = delay;
    }
    for (long until = System.nanoTime() + wait.toNanos(), left = wait.toNanos();
        left > 0;
        left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private @Nullable Object wrapped(@Nullable Object value) {
    for (Class<?> type : WRAPPED) {
      if (type.isInstance(value)) {
        return Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new Wrapper(value));
      }
    }
    return value;
  }

  /** What an application calls, and what that stands for. */
  private final class Wrapper implements InvocationHandler {
    private final Object target;

    Wrapper(Object target) {
      this.target = target;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.isDefault()) { // it is made of calls
        return InvocationHandler.invokeDefault(proxy, method, arguments);
      }
      boolean object = method.getDeclaringClass() == Object.class;
      if (!object && !(target instanceof Batch) && !NO_CALLS.contains(method.getName())) {
        call();
      }
      Object[] given = arguments == null ? new Object[0] : arguments.clone();
      for (int i = 0; i < given.length; i++) {
        given[i] = argument(method, given[i]);
      }
      try {
        return wrapped(method.invoke(target, given));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    /** As the store takes it: its own tables, and blocks that get what is wrapped. */
    @SuppressWarnings("unchecked") // the types of Store.write and Store.transact
    private @Nullable Object argument(Method method, @Nullable Object given) {
      if (given != null
          && Proxy.isProxyClass(given.getClass())
          && Proxy.getInvocationHandler(given) instanceof Wrapper other) {
        return other.target;
      }
      return switch (method.getName()) {
        case "write" ->
            given instanceof Consumer<?> block
                ? (Consumer<Batch>)
                    batch -> ((Consumer<Batch>) block).accept((Batch) wrapped(batch))
                : given;
        case "transact" ->
            given instanceof Function<?, ?> block
                ? (Function<Transaction, Object>)
                    transaction ->
                        ((Function<Transaction, Object>) block)
                            .apply((Transaction) wrapped(transaction))
                : given;
        default -> given;
      };
    }
  }
}
