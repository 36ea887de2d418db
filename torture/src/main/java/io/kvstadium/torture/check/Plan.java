package io.kvstadium.torture.check;

import io.kvstadium.store.Capability;
import io.kvstadium.torture.check.Operation.Change;
import io.kvstadium.torture.check.Operation.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The writes of a sequence. What operation n of a writer does follows only from the seed, the
 * writer and n, so that any process can tell what should be there after any number of operations.
 * Each writer has its own keys, and few, so that most operations overwrite or delete.
 *
 * @param seed of everything
 * @param writers how many threads write at once
 * @param tables the number of tables; the first is the default one
 * @param kinds the possible kinds of operations
 */
public record Plan(long seed, int writers, int tables, Set<Kind> kinds) {
  /** A writer's keys in each table. */
  public static final int KEYS = 48;

  private static final int MOST_TABLES = 2;

  public Plan {
    kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
  }

  /** A plan with everything that a store of these capabilities can do. */
  public static Plan of(long seed, int writers, Collection<Capability> capabilities) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    if (capabilities.contains(Capability.WRITE)) {
      kinds.add(Kind.PUT);
      kinds.add(Kind.DELETE);
      if (capabilities.contains(Capability.BATCH)) {
        kinds.add(Kind.BATCH);
      }
      if (capabilities.contains(Capability.TRANSACTION)) {
        kinds.add(Kind.TRANSACTION);
      }
    }
    if (capabilities.contains(Capability.BULK_LOAD) || kinds.isEmpty()) {
      kinds.add(Kind.LOAD);
    }
    int tables = capabilities.contains(Capability.TABLES) ? MOST_TABLES : 1;
    return new Plan(seed, kinds.contains(Kind.PUT) ? writers : 1, tables, kinds);
  }

  /** How many places each writer has. */
  public int slots() {
    return tables * KEYS;
  }

  public static int table(int slot) {
    return slot / KEYS;
  }

  public static String tableName(int table) {
    return table == 0 ? io.kvstadium.store.Store.DEFAULT_TABLE : "second";
  }

  public static byte[] key(int writer, int slot) {
    return "writer%02d/%04d".formatted(writer, slot % KEYS).getBytes(StandardCharsets.US_ASCII);
  }

  public Operation operation(int writer, long n) {
    SplittableRandom random = random(writer, n);
    Kind kind = kind(random.nextInt(100));
    return switch (kind) {
      case PUT -> new Operation(kind, List.of(new Change(random.nextInt(slots()), length(random))));
      case DELETE ->
          new Operation(kind, List.of(new Change(random.nextInt(slots()), Change.DELETED)));
      case BATCH, TRANSACTION -> new Operation(kind, several(random));
      case LOAD -> new Operation(kind, ascending(random));
    };
  }

  private Kind kind(int percent) {
    Kind wanted =
        percent < 50
            ? Kind.PUT
            : percent < 63
                ? Kind.DELETE
                : percent < 88 ? Kind.BATCH : percent < 98 ? Kind.TRANSACTION : Kind.LOAD;
    if (kinds.contains(wanted)) {
      return wanted;
    }
    return kinds.contains(Kind.BATCH)
        ? Kind.BATCH
        : kinds.contains(Kind.PUT) ? Kind.PUT : Kind.LOAD;
  }

  private List<Change> several(SplittableRandom random) {
    List<Change> changes = new ArrayList<>();
    int size = 2 + random.nextInt(8);
    // the first one is a put, whose value records what its writer had seen
    random
        .ints(0, slots())
        .distinct()
        .limit(size)
        .forEach(slot ->
            changes.add(
                new Change(
                    slot,
                    !changes.isEmpty() && random.nextInt(4) == 0
                        ? Change.DELETED
                        : length(random))));
    return changes;
  }

  private List<Change> ascending(SplittableRandom random) {
    int table = random.nextInt(tables);
    int size = 1 + random.nextInt(KEYS / 2);
    return random.ints(0, KEYS).distinct().limit(size).sorted().boxed().toList().stream()
        .map(key -> new Change(table * KEYS + key, length(random)))
        .toList();
  }

  /** Mostly short; some fill pages, and a few fill a log's block or more. */
  private static int length(SplittableRandom random) {
    int kind = random.nextInt(200);
    return random.nextInt(kind == 0 ? 60_000 : kind < 15 ? 6_000 : 200);
  }

  /** The bytes of a value after its header. */
  byte[] fill(int writer, long n, Change change) {
    byte[] bytes = new byte[change.length()];
    random(writer, n * 1_000_003 + change.slot() + 1).nextBytes(bytes);
    return bytes;
  }

  private SplittableRandom random(int writer, long n) {
    return new SplittableRandom(
        (seed ^ ((writer + 1) * 0xBF58476D1CE4E5B9L)) + n * 0x9E3779B97F4A7C15L);
  }

  /** Text that {@link #parse} reads. */
  public String text() {
    return seed
        + ":"
        + writers
        + ":"
        + tables
        + ":"
        + kinds.stream().map(Kind::name).collect(Collectors.joining(","));
  }

  public static Plan parse(String text) {
    String[] parts = text.split(":", -1);
    return new Plan(
        Long.parseLong(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Arrays.stream(parts[3].split(",", -1)).map(Kind::valueOf).collect(Collectors.toSet()));
  }
}
