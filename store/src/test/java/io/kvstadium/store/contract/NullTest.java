package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.codec.Codec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call without an argument is refused with that said, and changes nothing. */
class NullTest extends LibraryTest {
  private static final byte[] A = bytes("a");

  /** A fallback is given back as it is; no listener and no mode are the defaults. */
  private static final Set<String> TAKES_NULL = Set.of("getOrDefault", "listener", "mode");

  private final Store store = open();
  private final Table<byte[], byte[]> table = store.table();
  private final Table<String, Long> typed =
      store.table(Store.DEFAULT_TABLE, Codec.STRING, Codec.LONG);

  @SuppressWarnings("ArrayRecordComponent") // for its codec only
  private record Two(byte[] key, long number) {}

  private final Map<Class<?>, Object> samples = new HashMap<>();
  private final List<String> taken = new ArrayList<>();
  private boolean ofBytes;

  NullTest() {
    samples.put(byte[].class, A);
    samples.put(String.class, "a");
    samples.put(List.class, List.of(A));
    samples.put(Iterator.class, Collections.emptyIterator());
    samples.put(Range.class, Range.all());
    samples.put(Range.class, Range.all());
    samples.put(Duration.class, Duration.ofHours(1));
    samples.put(Path.class, Path.of("none"));
    samples.put(Capability.class, Capability.SCAN);
    samples.put(Capability[].class, new Capability[] {Capability.SCAN});
    samples.put(OpenOptions.class, OpenOptions.DEFAULT);
    samples.put(Recording.Options.class, Recording.Options.of(Path.of("none")));
    samples.put(Store.class, store);
    samples.put(TransactionOptions.class, TransactionOptions.DEFAULT);
    samples.put(TransactionMode.class, TransactionMode.OPTIMISTIC);
    samples.put(Codec.class, Codec.record(Two.class));
    samples.put(Class.class, Two.class);
    samples.put(Map.class, Map.of());
    samples.put(Object[].class, new Object[] {1L});
    samples.put(Table.class, table);
    samples.put(Table.class, typed);
    samples.put(int.class, 1);
    samples.put(long.class, 1L);
    samples.put(boolean.class, false);
  }

  /** An argument that would do; what the application would be called with must not be. */
  private Object sample(Class<?> type, String variable) {
    if (type == Object.class) {
      return ofBytes ? A : variable.equals("K") ? "a" : 1L;
    }
    Object sample = samples.get(type);
    return sample != null || !type.isInterface()
        ? sample
        : Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              throw new AssertionError(method + " of an argument was called");
            });
  }

  /** Calls each method of a type once for each argument that may not be missing. */
  private void assertRefusesNull(Class<?> type, @Nullable Object receiver, String... without) {
    for (Method method : type.getMethods()) {
      boolean isStatic = Modifier.isStatic(method.getModifiers());
      if (method.getDeclaringClass() != Object.class
          && !method.getName().equals("equals")
          && isStatic == (receiver == null)
          && !TAKES_NULL.contains(method.getName())
          && !Set.of(without).contains(method.getName())) {
        assertRefusesNull(method, receiver);
      }
    }
  }

  /** The same of what has keys and values of bytes. */
  private void assertOfBytesRefusesNull(Class<?> type, Object receiver, String... without) {
    ofBytes = true;
    assertRefusesNull(type, receiver, without);
    ofBytes = false;
  }

  private void assertRefusesNull(Method method, @Nullable Object receiver) {
    for (int i = 0; i < method.getParameterCount(); i++) {
      if (method.getParameterTypes()[i].isPrimitive()
          || method.getAnnotatedParameterTypes()[i].isAnnotationPresent(Nullable.class)) {
        continue;
      }
      Object[] args = new Object[method.getParameterCount()];
      for (int k = 0; k < args.length; k++) {
        Class<?> type = method.getParameterTypes()[k];
        args[k] = sample(type, method.getGenericParameterTypes()[k].getTypeName());
        assertThat(args[k]).as("a sample of %s for %s", type, method).isNotNull();
      }
      Arrays.fill(args, i, i + 1, null);
      Throwable thrown = catchThrowable(() -> call(method, receiver, args));
      if (!(thrown instanceof BadArgumentException) || !thrown.getMessage().contains("null")) {
        taken.add("%s without argument %d: %s".formatted(method, i + 1, thrown));
      }
    }
  }

  @AfterEach
  void nothingWasTaken() {
    assertThat(taken).isEmpty();
  }

  private static void call(Method method, @Nullable Object receiver, Object[] args)
      throws Throwable {
    try {
      method.invoke(receiver, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void everyCallOfAStoreAndItsTablesRefusesNull() {
    table.put(A, A);

    assertRefusesNull(Store.class, store);
    assertOfBytesRefusesNull(Table.class, table);
    assertRefusesNull(Table.class, typed);
    try (Cursor<byte[], byte[]> cursor = table.scan(Range.all());
        Cursor<String, Long> typedCursor = typed.scan(Range.all());
        Snapshot snapshot = store.snapshot()) {
      assertThat(cursor.next()).isTrue();
      assertOfBytesRefusesNull(Cursor.class, cursor);
      assertRefusesNull(Cursor.class, typedCursor);
      assertRefusesNull(Snapshot.class, snapshot);
      assertOfBytesRefusesNull(TableReader.class, snapshot.on(table));
    }

    assertThat(Bytes.keys(table, Range.all())).containsExactly("a");
    assertThat(table.get(A)).isEqualTo(A);
  }

  /** And a block is not applied in which a call was refused, though it went on. */
  @Test
  void everyCallOfABatchOrTransactionRefusesNull() {
    assertThatThrownBy(() ->
            store.write(batch -> {
              assertRefusesNull(Batch.class, batch);
            }))
        .isInstanceOf(StadiumException.class)
        .hasCauseInstanceOf(BadArgumentException.class);
    for (TransactionMode mode : TransactionMode.values()) {
      assertThatThrownBy(() ->
              store.transact(
                  TransactionOptions.DEFAULT.mode(mode),
                  tx -> {
                    assertRefusesNull(Transaction.class, tx);
                    assertOfBytesRefusesNull(Table.class, tx.on(table), "bulkLoad");
                    return 0;
                  }))
          .isInstanceOf(StadiumException.class)
          .hasCauseInstanceOf(BadArgumentException.class);
    }
  }

  @Test
  void whatIsMadeBeforeAStoreRefusesNull() {
    ExpiringTable<String, Long> expiring =
        ExpiringTable.of(store, "expiring", Codec.STRING, Codec.LONG, Duration.ofHours(1));

    assertRefusesNull(Engines.class, engines);
    assertRefusesNull(OpenOptions.class, OpenOptions.DEFAULT);
    assertRefusesNull(TransactionOptions.class, TransactionOptions.DEFAULT);
    assertRefusesNull(Recording.Options.class, null);
    assertRefusesNull(Recording.class, null, "of");
    assertRefusesNull(Range.class, null);
    assertRefusesNull(Codec.class, null);
    assertRefusesNull(ExpiringTable.class, expiring);
    for (Codec<?> codec :
        List.of(Codec.STRING, Codec.BYTES, Codec.BOOLEAN, Codec.INT, Codec.LONG, Codec.DOUBLE)) {
      assertRefusesNull(Codec.class, codec, "decode");
    }
  }

  @Test
  void nullAmongOthersIsRefused() {
    List<byte[]> keys = new ArrayList<>(List.of(A));
    keys.addAll(Collections.nCopies(1, null));
    Iterator<Entry<byte[], byte[]>> missing =
        Collections.<Entry<byte[], byte[]>>nCopies(1, null).iterator();

    assertThatThrownBy(() -> table.multiGet(keys)).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> table.bulkLoad(missing, false))
        .isInstanceOf(BadArgumentException.class);

    assertThat(table.count()).isZero();
  }
}
