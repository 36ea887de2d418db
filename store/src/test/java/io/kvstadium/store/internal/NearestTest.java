package io.kvstadium.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> ENGINES = List.of("rocksdb", "lmdb", "sqlite", "memory");

  @Test
  void aSlipOfTheFingerIsFound() {
    assertThat(Nearest.hint("rockdb", ENGINES)).isEqualTo(" (did you mean 'rocksdb'?)");
    assertThat(Nearest.hint("sqilte", ENGINES)).isEqualTo(" (did you mean 'sqlite'?)");
    assertThat(Nearest.hint("lmbd", ENGINES)).isEqualTo(" (did you mean 'lmdb'?)");
  }

  @Test
  void capitalsDoNotMatter() {
    assertThat(Nearest.hint("RocksDB", ENGINES)).isEqualTo(" (did you mean 'rocksdb'?)");
  }

  @Test
  void theNearestOfSeveralWins() {
    assertThat(Nearest.hint("cachf", List.of("caches", "cache"))).contains("'cache'");
  }

  @Test
  void whatIsTooFarIsNotGuessed() {
    assertThat(Nearest.hint("mongodb-cluster", ENGINES)).isEmpty();
    assertThat(Nearest.hint("abc", List.of("xyz"))).isEmpty();
    assertThat(Nearest.hint("anything", List.of())).isEmpty();
  }

  @Test
  void aLongWordMayDifferByAThird() {
    assertThat(Nearest.hint("abcdefghi", List.of("abcdefxyz"))).isNotEmpty();
    assertThat(Nearest.hint("abcdefghi", List.of("abcdewxyz"))).isEmpty();
  }
}
