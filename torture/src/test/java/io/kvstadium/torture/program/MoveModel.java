package io.kvstadium.torture.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.ExpiringCodec;
import io.kvstadium.store.codec.ExpiringCodec.Expiring;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A history of which each step is known from its number: does it to a store, or says its result.
 */
final class MoveModel {
  private static final List<String> NAMES = List.of("default", "orders", "users");
  private static final String SESSIONS = "sessions";
  private static final int KEYS = 2_000;

  private final long seed;
  private final Map<String, NavigableMap<String, String>> tables = new TreeMap<>();
  private long next;
  private Random random = new Random();

  MoveModel(long seed) {
    this.seed = seed;
  }

  /** What is there after all steps so far; without empty tables. */
  Map<String, NavigableMap<String, String>> tables() {
    Map<String, NavigableMap<String, String>> filled = new TreeMap<>();
    tables.forEach((name, entries) -> {
      if (!entries.isEmpty()) {
        filled.put(name, entries);
      }
    });
    return filled;
  }

  void steps(Store store, int count) {
    for (int i = 0; i < count; i++) {
      step(store);
    }
  }

  /** Takes the next step, only in the model if there is no store. */
  void step(@Nullable Store store) {
    random = new Random(seed ^ (next++ * 0x9E3779B97F4A7C15L));
    if (random.nextInt(10) == 0) {
      stepOfSessions(store);
    } else {
      stepOfTables(store);
    }
  }

  /** One of entries that expire, of which the number of the step is the time. */
  private void stepOfSessions(@Nullable Store store) {
    NavigableMap<String, String> model = tables.computeIfAbsent(SESSIONS, _ -> new TreeMap<>());
    Instant now = Instant.ofEpochMilli(next);
    Duration life = Duration.ofMillis(1 + random.nextInt(1_000));
    ExpiringTable<byte[], byte[]> sessions =
        store == null
            ? null
            : ExpiringTable.of(store, SESSIONS, Codec.BYTES, Codec.BYTES, life, () -> now);
    String key = key();
    String value = value();
    if (random.nextInt(10) == 0) {
      if (sessions != null) {
        long _ = sessions.sweep();
      }
      model.values().removeIf(one -> ExpiringCodec.due(bytes(one)) <= now.toEpochMilli());
    } else {
      if (sessions != null) {
        sessions.put(bytes(key), bytes(value));
      }
      Expiring<byte[]> expiring = new Expiring<>(now.plus(life).toEpochMilli(), bytes(value));
      model.put(key, text(new ExpiringCodec<>(Codec.BYTES).encode(expiring)));
    }
  }

  private void stepOfTables(@Nullable Store store) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Table<byte[], byte[]> table = store == null ? null : store.table(name);
    NavigableMap<String, String> model = tables.computeIfAbsent(name, _ -> new TreeMap<>());
    int kind = random.nextInt(20);
    String key = key();
    String other = key();
    String value = value();
    boolean rarely = random.nextInt(10) == 0;
    NavigableMap<String, String> many = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      many.put(key(), value());
    }
    switch (kind) {
      case 0 -> {
        String to = key + "5";
        if (table != null) {
          table.delete(Range.between(bytes(key), bytes(to)));
        }
        model.subMap(key, to).clear();
      }
      case 1 -> {
        if (rarely) {
          if (table != null) {
            table.clear();
          }
          model.clear();
        }
      }
      case 2 -> {
        if (rarely && !name.equals("default")) {
          if (store != null) {
            store.dropTable(name);
          }
          tables.remove(name);
        }
      }
      case 3 -> {
        if (table != null) {
          List<Entry<byte[], byte[]>> entries = new ArrayList<>();
          many.forEach((one, put) -> entries.add(new Entry<>(bytes(one), bytes(put))));
          table.bulkLoad(entries.iterator(), true);
        }
        model.putAll(many);
      }
      case 4, 5, 6 -> {
        if (store != null && table != null) {
          store.transact(tx -> {
            Table<byte[], byte[]> inside = tx.on(table);
            byte[] old = inside.get(bytes(key));
            inside.put(bytes(key), bytes(value));
            inside.delete(bytes(other));
            return old;
          });
        }
        model.put(key, value);
        model.remove(other);
      }
      case 7, 8, 9 -> {
        if (store != null && table != null) {
          store.write(
              batch -> many.forEach((one, put) -> batch.put(table, bytes(one), bytes(put))));
        }
        model.putAll(many);
      }
      case 10, 11 -> {
        if (table != null) {
          table.delete(bytes(key));
        }
        model.remove(key);
      }
      case 12 -> {
        if (table != null) {
          table.compute(bytes(key), _ -> bytes(value));
        }
        model.put(key, value);
      }
      default -> {
        if (table != null) {
          table.put(bytes(key), bytes(value));
        }
        model.put(key, value);
      }
    }
    if (table != null && tables.containsKey(name)) {
      byte[] read = table.get(bytes(other));
      assertThat(read == null ? null : text(read)).isEqualTo(model.get(other));
    }
  }

  private String key() {
    return "k%04d".formatted(random.nextInt(KEYS));
  }

  private String value() {
    return Integer.toString(random.nextInt()).repeat(1 + random.nextInt(20));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** All that a store has; without empty tables. */
  static Map<String, NavigableMap<String, String>> contents(Store store) {
    Map<String, NavigableMap<String, String>> all = new TreeMap<>();
    for (String name : store.tables()) {
      NavigableMap<String, String> entries = new TreeMap<>();
      try (Cursor<byte[], byte[]> cursor = store.table(name).scan(Range.all())) {
        while (cursor.next()) {
          entries.put(text(cursor.key()), text(cursor.value()));
        }
      }
      if (!entries.isEmpty()) {
        all.put(name, entries);
      }
    }
    return all;
  }
}
