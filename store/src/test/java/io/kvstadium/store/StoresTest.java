package io.kvstadium.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CopyOptions.Existing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies between stores of maps; those between engines are in the transfer module's tests. */
class StoresTest {
  private final Store from = FakeEngine.openStore();
  private final Store to = FakeEngine.openStore();

  @BeforeEach
  void fill() {
    for (int i = 0; i < 100; i++) {
      put(from, "a", "k" + (100 + i), "v" + i);
      put(from, "b", "k" + (100 + i), "w" + i);
    }
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
  }

  @Test
  void copiesEverythingAndProvesIt() {
    List<CopyProgress> told = new ArrayList<>();

    CopyResult result = Stores.copy(from, to, CopyOptions.DEFAULT.progress(told::add));

    assertThat(result.identical()).isTrue();
    assertThat(result.resumed()).isFalse();
    assertThat(result.source().entries()).isEqualTo(200);
    assertThat(to.table("b").get(bytes("k142"))).isEqualTo(bytes("w42"));
    assertThat(told).extracting(CopyProgress::step).contains(CopyProgress.Step.VERIFY);
    assertThat(told.getLast().entries()).isEqualTo(200);
    assertThat(told.getLast().total()).isEqualTo(200);
  }

  @Test
  void copiesSelectedTablesAndKeysUnderNewNames() {
    CopyResult result =
        Stores.copy(
            from, to, CopyOptions.DEFAULT.table("b", "new").range(Range.prefix(bytes("k11"))));

    assertThat(result.identical()).isTrue();
    assertThat(to.table("new").count()).isEqualTo(10);
    assertThat(to.tables()).doesNotContain("a", "b");
    assertThatThrownBy(() -> Stores.copy(from, to, CopyOptions.DEFAULT.table("bb")))
        .hasMessageContaining("there is no table 'bb' (did you mean 'b'?); there are: a, b");
  }

  @Test
  void refusesATargetThatHoldsEntriesUnlessToldWhatToDo() {
    put(to, "a", "k150", "old");
    put(to, "a", "other", "stays in a merge");
    put(to, "c", "k", "stays");

    assertThatThrownBy(() -> Stores.copy(from, to))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("holds entries already");
    assertThat(to.table("a").count()).isEqualTo(2);

    CopyResult merged = Stores.copy(from, to, CopyOptions.DEFAULT.existing(Existing.MERGE));
    assertThat(merged.identical()).isTrue();
    assertThat(to.table("a").count()).isEqualTo(101);
    assertThat(to.table("a").get(bytes("k150"))).isEqualTo(bytes("v50"));

    CopyResult replaced = Stores.copy(from, to, CopyOptions.DEFAULT.existing(Existing.REPLACE));
    assertThat(replaced.identical()).isTrue();
    assertThat(to.table("a").count()).isEqualTo(100);
    assertThat(to.table("c").count()).isEqualTo(1);
  }

  @Test
  void countsWhatTheTargetCannotHoldBeforeItWrites() {
    String longKey = "x".repeat(1 << 10);
    put(from, "b", longKey, "1");
    put(from, "b", longKey + "y", "2");
    FakeEngine engine = new FakeEngine();
    engine.limits = new Limits(1_000, 1 << 24);
    try (Store narrow = engine.openHere("fake:")) {
      assertThatThrownBy(() -> Stores.copy(from, narrow))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("cannot hold 2 entries")
          .hasMessageContaining("in table b the entry of key 0x7878")
          .hasMessageContaining("its key has 1024 bytes, and the target takes 0 to 1000");
      assertThat(Stores.isEmpty(narrow)).isTrue();

      CopyResult result = Stores.copy(from, narrow, CopyOptions.DEFAULT.skipOversized(true));

      assertThat(result.oversized().keys()).isEqualTo(2);
      assertThat(result.source().entries()).isEqualTo(200);
      assertThat(result.identical()).isTrue();
    }
  }

  @Test
  void whatFailsInTheSourceOrTheProgressEndsTheCopyAndReachesTheCaller() {
    RuntimeException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            Stores.copy(
                from,
                to,
                CopyOptions.DEFAULT.progress(_ -> {
                  throw mine;
                })))
        .isSameAs(mine);
    assertThatThrownBy(() -> Stores.copy(from, from)).hasMessageContaining("to itself");
  }

  private static void put(Store store, String table, String key, String value) {
    store.table(table).put(bytes(key), bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
