package io.kvstadium.store.contract;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Limits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One open store of a {@link ContractEngine}, with all handles that come from it. */
final class WatchedStore {
  private static final Set<String> ALWAYS =
      Set.of("capabilities", "limits", "durability", "classify", "toString");

  private final Contract contract;
  private final Limits limits;
  private final Set<Capability> declared;
  private final EngineStore<?> store;
  private final Lifetime life;
  private final Map<String, Lifetime> tables = new ConcurrentHashMap<>();
  private final Set<String> opening = ConcurrentHashMap.newKeySet();
  private final AtomicInteger creating = new AtomicInteger();
  private final Map<Thread, Integer> transactions = new ConcurrentHashMap<>();

  WatchedStore(Contract contract, Limits limits, Set<Capability> declared, EngineStore<?> store) {
    this.contract = contract;
    this.limits = limits;
    this.declared = declared;
    this.store = store;
    this.life = new Lifetime("the store", contract);
  }

  EngineStore<?> proxy() {
    return proxy(EngineStore.class, (method, args) -> onStore(method, args));
  }

  /** A call on a handle. */
  private interface Handler {
    @Nullable Object call(Method method, Object[] args) throws Throwable;
  }

  private static <I> I proxy(Class<I> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, args) -> handler.call(method, args == null ? new Object[0] : args)));
  }

  private static @Nullable Object pass(Object to, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(to, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object onStore(Method method, Object[] args) throws Throwable {
    String name = method.getName();
    if (ALWAYS.contains(name)) {
      return pass(store, method, args);
    }
    if (name.equals("close")) {
      tables.values().forEach(Lifetime::close);
      life.close();
      return pass(store, method, args);
    }
    demandDeclared(name, args);
    return switch (name) {
      case "openTable" -> inside(life, name, List.of(), () -> openTable(method, args));
      case "dropTable" -> inside(life, name, List.of(), () -> dropTable(method, args));
      case "begin" ->
          inside(
              life, name, List.of(), () -> begin((EngineTransaction<?>) pass(store, method, args)));
      case "snapshot" ->
          inside(
              life, name, List.of(), () -> snapshot((EngineSnapshot<?>) pass(store, method, args)));
      default -> read(life, store, method, args);
    };
  }

  /** What is the same on stores, snapshots and transactions. */
  private @Nullable Object read(Lifetime of, Object handle, Method method, Object[] args)
      throws Throwable {
    demandArguments(method.getName(), args);
    Collection<Lifetime> used = tablesOf(args);
    if (!method.getName().equals("cursor")) {
      return inside(of, method.getName(), used, () -> pass(handle, method, args));
    }
    return inside(
        of,
        "cursor",
        used,
        () ->
            cursor(List.of(of, used.iterator().next()), (EngineCursor) pass(handle, method, args)));
  }

  /** A call of the engine. */
  private interface Call {
    @Nullable Object make() throws Throwable;
  }

  private static @Nullable Object inside(
      Lifetime of, String name, Collection<Lifetime> tables, Call call) throws Throwable {
    of.enter(name);
    try {
      for (Lifetime table : tables) {
        table.enter(name);
      }
      try {
        return call.make();
      } finally {
        tables.forEach(Lifetime::leave);
      }
    } finally {
      of.leave();
    }
  }

  private void demandDeclared(String name, Object[] args) {
    Capability needed =
        switch (name) {
          case "put" -> Capability.WRITE;
          case "delete" -> args[1] instanceof Range<?> ? Capability.RANGE_DELETE : Capability.WRITE;
          case "write" -> Capability.BATCH;
          case "bulkLoad" -> Capability.BULK_LOAD;
          case "begin" -> ((TransactionMode) args[0]).capability();
          case "snapshot" -> Capability.SNAPSHOT;
          case "estimateCount" -> Capability.ESTIMATED_COUNT;
          case "compact" -> Capability.COMPACT;
          case "backup" -> Capability.BACKUP;
          case "dropTable" -> Capability.TABLES;
          case "openTable" ->
              Store.DEFAULT_TABLE.equals(args[0]) ? Capability.SCAN : Capability.TABLES;
          case "cursor" -> isWhole((Range<?>) args[1]) ? Capability.SCAN : Capability.ORDERED_SCAN;
          default -> null;
        };
    contract.demand(
        needed == null || declared.contains(needed),
        "%s was called although %s is not declared",
        name,
        needed);
    if (name.equals("write")) {
      List<?> writes = (List<?>) args[0];
      contract.demand(!writes.isEmpty(), "an empty batch was written");
      for (Object write : writes) {
        Range<byte[]> range = ((Write<?>) write).range();
        if (range != null) {
          demandDeclared("delete", new Object[] {"", range});
          demandRange("write", range);
        }
      }
    }
  }

  private static boolean isWhole(Range<?> range) {
    return range.from() == null && range.to() == null && !range.reversed();
  }

  private void demandArguments(String name, Object[] args) {
    for (int i = 0; i < args.length; i++) {
      Object arg = args[i];
      contract.demand(arg != null, "%s was given null", name);
      if (arg instanceof byte[] bytes && i == 1) {
        demandKey(name, bytes);
      } else if (arg instanceof byte[] bytes) {
        contract.demand(
            bytes.length >= limits.minValueBytes() && bytes.length <= limits.maxValueBytes(),
            "%s was given a value of %d bytes",
            name,
            bytes.length);
      } else if (arg instanceof byte[][] keys) {
        Arrays.stream(keys).forEach(key -> demandKey(name, key));
      } else if (arg instanceof Range<?> range) {
        demandRange(name, range);
      }
    }
  }

  private void demandKey(String name, byte[] key) {
    contract.demand(
        key.length <= limits.maxKeyBytes()
            && (key.length > 0 || declared.contains(Capability.EMPTY_KEY)),
        "%s was given a key of %d bytes",
        name,
        key.length);
  }

  private void demandRange(String name, Range<?> range) {
    byte[] from = (byte[]) range.from();
    byte[] to = (byte[]) range.to();
    int order = from == null || to == null ? -1 : Arrays.compareUnsigned(from, to);
    contract.demand(
        order < 0 || (order == 0 && range.fromInclusive() && range.toInclusive()),
        "%s was given an empty range",
        name);
    contract.demand(
        name.equals("cursor") || (range.limit() == Long.MAX_VALUE && !range.reversed()),
        "%s was given a range with a limit or reversed",
        name);
  }

  private Collection<Lifetime> tablesOf(Object[] args) {
    Set<Lifetime> used = new LinkedHashSet<>();
    for (Object arg : args) {
      Stream<?> named =
          switch (arg) {
            case EngineTable table -> Stream.of(table.name());
            case List<?> writes -> writes.stream().map(write -> ((Write<?>) write).table().name());
            case null, default -> Stream.empty();
          };
      named.forEach(name -> {
        Lifetime table = tables.get(name);
        contract.demand(table != null, "table %s was used after its drop", name);
        used.add(table);
      });
    }
    return used;
  }

  private @Nullable Object openTable(Method method, Object[] args) throws Throwable {
    String name = String.valueOf(args[0]);
    boolean create = Boolean.TRUE.equals(args[2]);
    contract.demand(!tables.containsKey(name), "table %s was opened twice", name);
    contract.demand(opening.add(name), "table %s was opened by two at once", name);
    try {
      if (create) {
        contract.demand(creating.incrementAndGet() == 1, "two tables were made at once");
        contract.demand(
            !transactions.containsKey(Thread.currentThread()), "a table was made in a transaction");
      }
      Object table = pass(store, method, args);
      if (table != null) {
        tables.put(name, new Lifetime("table " + name, contract));
      }
      return table;
    } finally {
      if (create) {
        creating.decrementAndGet();
      }
      opening.remove(name);
    }
  }

  private @Nullable Object dropTable(Method method, Object[] args) throws Throwable {
    for (Lifetime table : tablesOf(args)) {
      table.close();
    }
    Object result = pass(store, method, args);
    tables.remove(((EngineTable) args[0]).name());
    return result;
  }

  private EngineTransaction<?> begin(EngineTransaction<?> transaction) {
    Thread owner = Thread.currentThread();
    Lifetime own = new Lifetime("a transaction", contract);
    AtomicReference<@Nullable Thread> user = new AtomicReference<>();
    boolean[] committed = new boolean[1];
    life.add(own);
    transactions.merge(owner, 1, Integer::sum);
    return proxy(
        EngineTransaction.class,
        (method, args) -> {
          String name = method.getName();
          Thread caller = Thread.currentThread();
          if (name.equals("close")) {
            contract.demand(caller.equals(owner), "a transaction was closed by another thread");
            own.close();
            try {
              return pass(transaction, method, args);
            } finally {
              transactions.computeIfPresent(owner, (_, count) -> count > 1 ? count - 1 : null);
              life.remove(own);
            }
          }
          contract.demand(!committed[0], "%s of a transaction was called after its commit", name);
          if (name.equals("commit")) {
            contract.demand(caller.equals(owner), "a transaction was committed by another thread");
            committed[0] = true;
          }
          Thread before = user.getAndSet(caller); // itself, from inside a value reader
          try {
            contract.demand(
                before == null || before.equals(caller), "a transaction was called by two at once");
            return read(own, transaction, method, args);
          } finally {
            user.set(before);
          }
        });
  }

  private EngineSnapshot<?> snapshot(EngineSnapshot<?> snapshot) {
    Lifetime own = new Lifetime("a snapshot", contract);
    life.add(own);
    return proxy(
        EngineSnapshot.class,
        (method, args) -> {
          if (method.getName().equals("close")) {
            own.close();
            try {
              return pass(snapshot, method, args);
            } finally {
              life.remove(own);
            }
          }
          return read(own, snapshot, method, args);
        });
  }

  private EngineCursor cursor(List<Lifetime> from, EngineCursor cursor) {
    Lifetime own = new Lifetime("a cursor", contract);
    from.forEach(each -> each.add(own));
    boolean[] onEntry = new boolean[1];
    boolean[] over = new boolean[1];
    return proxy(
        EngineCursor.class,
        (method, args) -> {
          String name = method.getName();
          if (name.equals("isImmutable") || name.equals("canSeek")) {
            return pass(cursor, method, args);
          }
          if (name.equals("close")) {
            own.close();
            try {
              return pass(cursor, method, args);
            } finally {
              from.forEach(each -> each.remove(own));
            }
          }
          own.enter(name);
          try {
            contract.demand(!own.isBusy(), "%s of a cursor was called during another call", name);
            boolean moves = name.equals("next") || name.equals("seek");
            contract.demand(moves || onEntry[0], "%s was called on no entry", name);
            contract.demand(!name.equals("next") || !over[0], "next was called after the end");
            Object result = pass(cursor, method, args);
            if (moves) {
              onEntry[0] = Boolean.TRUE.equals(result);
              over[0] = !onEntry[0];
            }
            return result;
          } finally {
            own.leave();
          }
        });
  }
}
