package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The snippets of docs/from-rockstadium.md, in its order, on the tests' own engine. */
class FromRockStadiumTest {
  private final FakeEngine engine = new FakeEngine();
  private final Engines engines = Engines.of(List.of(engine));
  private Store store;

  @BeforeEach
  void open() {
    String url = "fake:?cache=64m&table.events.auto_compaction=false";
    store = engines.open(url, OpenOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void tablesWithOptionsOfTheirOwn() {
    Table users = store.table("users");
    Table events = store.table("events");

    assertThat(store.tables()).contains(users.name(), events.name());
    assertThat(engine.tableOptions.get("events")).containsEntry("auto_compaction", "false");
    assertThat(engine.tableOptions.get("users")).isEmpty();
  }

  @Test
  void writesInABatch() {
    Table users = store.table("users");
    byte[] key = Codec.STRING.encode("ann");
    assertThatThrownBy(() ->
            store.write(batch -> {
              batch.on(users).put(key, new byte[1]);
              throw new IllegalStateException("not good");
            }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(users.exists(key)).isFalse();

    store.write(batch -> batch.on(users).put(key, new byte[1]));

    assertThat(users.exists(key)).isTrue();
  }

  @Test
  void transactionsOverSeveralTables() {
    TypedTable<String, Long> from = store.table("checking", Codec.STRING, Codec.LONG);
    TypedTable<String, Long> to = store.table("savings", Codec.STRING, Codec.LONG);
    from.put("ann", 10L);

    for (TransactionMode mode : TransactionMode.values()) {
      boolean moved =
          store.transact(
              TransactionOptions.DEFAULT.mode(mode),
              tx -> {
                long rest = tx.on(from).getOrDefault("ann", 0L) - 7;
                tx.on(from).put("ann", rest);
                tx.on(to).put("ann", tx.on(to).getOrDefault("ann", 0L) + 7);
                if (rest < 0) {
                  tx.rollback();
                }
                return rest >= 0;
              });
      assertThat(moved).isEqualTo(mode == TransactionMode.OPTIMISTIC); // the first of the two
    }

    assertThat(from.get("ann")).isEqualTo(3);
    assertThat(to.get("ann")).isEqualTo(7);
  }

  @Test
  void typedReadsAndWrites() {
    TypedTable<String, Integer> ages = store.table("ages", Codec.STRING, Codec.INT);
    ages.put("ann", 41);
    TypedTable<String, Double> scores = store.table("scores", Codec.STRING, Codec.DOUBLE);
    scores.put("ann", 0.5);
    TypedTable<String, Float> ratios = store.table("ratios", Codec.STRING, Codec.FLOAT);
    ratios.put("ann", 0.5f);
    TypedTable<String, Boolean> flags = store.table("flags", Codec.STRING, Codec.BOOLEAN);
    flags.put("ann", true);
    TypedTable<String, byte[]> blobs = store.table("blobs", Codec.STRING, Codec.BYTES);
    blobs.put("ann", new byte[] {1, 2});

    assertThat(ages.get("ann")).isEqualTo(41);
    assertThat(ages.getOrDefault("bob", 0)).isZero();
    assertThat(scores.get("ann")).isEqualTo(0.5);
    assertThat(ratios.get("ann")).isEqualTo(0.5f);
    assertThat(flags.getOrDefault("bob", false)).isFalse();
    assertThat(blobs.get("ann")).containsExactly(1, 2);
  }

  @Test
  void multiGet() {
    TypedTable<String, Integer> ages = store.table("ages", Codec.STRING, Codec.INT);
    ages.put("ann", 41);

    assertThat(ages.getAll(List.of("ann", "bob"))).containsExactly(41, null);
  }

  @Test
  void lazyTypedListing() {
    TypedTable<String, Integer> ages = store.table("ages", Codec.STRING, Codec.INT);
    ages.put("ann", 41);
    ages.put("bob", 17);

    List<String> all = new ArrayList<>();
    try (var cursor = ages.scan()) {
      while (cursor.next()) {
        all.add(cursor.key() + " " + cursor.value());
      }
    }
    List<String> adults;
    try (var entries = ages.scan().stream()) {
      adults = entries.filter(e -> e.getValue() >= 18).map(Map.Entry::getKey).toList();
    }

    assertThat(all).containsExactly("ann 41", "bob 17");
    assertThat(adults).containsExactly("ann");
  }

  @Test
  void existenceAndDeletion() {
    TypedTable<String, Integer> ages = store.table("ages", Codec.STRING, Codec.INT);
    ages.put("ann", 41);
    ages.put("bob", 17);

    assertThat(ages.exists("ann")).isTrue();

    ages.delete("ann");
    assertThat(ages.exists("ann")).isFalse();

    ages.clear();
    assertThat(ages.count()).isZero();
  }

  @Test
  void compaction() {
    store.table("users").compact();
    store.compact();

    assertThat(engine.compacted).containsExactly("users", "default", "users");
  }
}
