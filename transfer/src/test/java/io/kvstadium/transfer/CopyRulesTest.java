package io.kvstadium.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a copy refuses and reports; {@link CircleTest} copies between engines. */
class CopyRulesTest {
  @TempDir private Path directory;
  private final Store from = Stadium.open("memory:");
  private final Store to = Stadium.open("memory:");

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

    CopyResult result = Copy.run(from, to, CopyOptions.DEFAULT.progress(told::add));

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
        Copy.run(from, to, CopyOptions.DEFAULT.table("b", "new").range(Range.prefix(bytes("k11"))));

    assertThat(result.identical()).isTrue();
    assertThat(to.table("new").count()).isEqualTo(10);
    assertThat(to.tables()).doesNotContain("a", "b");
    assertThatThrownBy(() -> Copy.run(from, to, CopyOptions.DEFAULT.table("bb")))
        .hasMessageContaining("there is no table 'bb' (did you mean 'b'?); there are: a, b");
  }

  @Test
  void refusesATargetThatHoldsEntriesUnlessToldWhatToDo() {
    put(to, "a", "k150", "old");
    put(to, "a", "other", "stays in a merge");
    put(to, "c", "k", "stays");

    assertThatThrownBy(() -> Copy.run(from, to))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("holds entries already");
    assertThat(to.table("a").count()).isEqualTo(2);

    CopyResult merged = Copy.run(from, to, CopyOptions.DEFAULT.existing(Existing.MERGE));
    assertThat(merged.identical()).isTrue();
    assertThat(to.table("a").count()).isEqualTo(101);
    assertThat(to.table("a").get(bytes("k150"))).isEqualTo(bytes("v50"));

    CopyResult replaced = Copy.run(from, to, CopyOptions.DEFAULT.existing(Existing.REPLACE));
    assertThat(replaced.identical()).isTrue();
    assertThat(to.table("a").count()).isEqualTo(100);
    assertThat(to.table("c").count()).isEqualTo(1);
  }

  @Test
  void countsWhatTheTargetCannotHoldBeforeItWrites() {
    String longKey = "x".repeat(1 << 10);
    put(from, "b", longKey, "1");
    put(from, "b", longKey + "y", "2");
    try (Store narrow = Stadium.open("lmdb:" + directory.resolve("narrow"))) {
      assertThatThrownBy(() -> Copy.run(from, narrow))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("cannot hold 2 entries")
          .hasMessageContaining("in table b the entry of key 0x7878")
          .hasMessageContaining("its key has 1024 bytes, and the target takes 1 to 511");
      assertThat(Stores.isEmpty(narrow)).isTrue();

      CopyResult result = Copy.run(from, narrow, CopyOptions.DEFAULT.skipOversized(true));

      assertThat(result.oversized().keys()).isEqualTo(2);
      assertThat(result.source().entries()).isEqualTo(200);
      assertThat(result.identical()).isTrue();
    }
  }

  @Test
  void whatHasNoSnapshotsAndMayBeWrittenIsCopiedOnlyIfThatIsAccepted() {
    put(from, "a", "k", "v");
    Store shifting = without(from, Capability.SNAPSHOT);
    assertThatThrownBy(() -> Copy.run(shifting, to))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("engine memory has no snapshots here");
    assertThat(Stores.isEmpty(to)).isTrue();

    assertThat(Copy.run(shifting, to, CopyOptions.DEFAULT.live(true)).identical()).isTrue();
  }

  @Test
  void whatFailsInTheSourceOrTheProgressEndsTheCopyAndReachesTheCaller() {
    RuntimeException mine = new IllegalStateException("mine");

    assertThatThrownBy(() ->
            Copy.run(
                from,
                to,
                CopyOptions.DEFAULT.progress(_ -> {
                  throw mine;
                })))
        .isSameAs(mine);
    assertThatThrownBy(() -> Copy.run(from, from)).hasMessageContaining("to itself");
  }

  /** The same store, which says that it cannot do something. */
  private static Store without(Store store, Capability lacking) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("capabilities")) {
                Set<Capability> left = EnumSet.copyOf(store.capabilities());
                left.remove(lacking);
                return left;
              }
              return method.invoke(store, arguments);
            });
  }

  private static void put(Store store, String table, String key, String value) {
    store.table(table).put(bytes(key), bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
