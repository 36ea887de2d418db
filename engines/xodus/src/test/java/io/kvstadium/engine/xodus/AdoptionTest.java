package io.kvstadium.engine.xodus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.testsupport.DirectoryState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.StoreConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another program made with Xodus itself. */
final class AdoptionTest {
  @TempDir Path directory;

  @Test
  void storesAreTablesAsFarAsTheyCanBeAndNothingIsTouched() throws IOException {
    EnvironmentConfig small = new EnvironmentConfig().setLogFileSize(64); // not what ours have
    try (Environment environment = Environments.newInstance(directory.toFile(), small)) {
      put(environment, "people/all", StoreConfig.WITHOUT_DUPLICATES, "k", "v");
      put(environment, "prefixed", StoreConfig.WITHOUT_DUPLICATES_WITH_PREFIXING, "a", "1");
      put(environment, "several", StoreConfig.WITH_DUPLICATES, "k", "v");
      put(environment, "large", StoreConfig.WITHOUT_DUPLICATES, "k", "x".repeat(60_000));
      put(environment, "larger", StoreConfig.WITHOUT_DUPLICATES, "k", "x".repeat(60_000));
    }
    Map<String, String> before = DirectoryState.of(directory);
    assertThat(before.keySet().stream().filter(name -> name.endsWith(".xd"))).hasSizeGreaterThan(1);
    assertThatThrownBy(() -> Stadium.open("xodus:" + directory))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("adopt=true");

    try (Store store = Stadium.open("xodus:" + directory + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("large", "larger", "people/all", "prefixed");
      assertThat(Stores.unreadable(store)).containsOnlyKeys("several");
      assertThat(store.capabilities()).doesNotContain(Capability.WRITE, Capability.BACKUP);
      assertThat(store.table("people/all").get(bytes("k"))).isEqualTo(bytes("v"));
      assertThat(store.table("prefixed").count()).isEqualTo(1);
    }

    assertThat(DirectoryState.of(directory)).isEqualTo(before);
  }

  /** Its program goes on: no lock of its is taken. */
  @Test
  void isReadBesideItsProgram() {
    try (Environment environment = Environments.newInstance(directory.toFile())) {
      put(environment, "people", StoreConfig.WITHOUT_DUPLICATES, "k", "v");

      try (Store store = Stadium.open("xodus:" + directory + "?adopt=true")) {
        assertThat(store.table("people").get(bytes("k"))).isEqualTo(bytes("v"));
        put(environment, "people", StoreConfig.WITHOUT_DUPLICATES, "k2", "v2");
        assertThat(store.table("people").get(bytes("k"))).isEqualTo(bytes("v"));
      }
    }
  }

  private static void put(
      Environment environment, String name, StoreConfig kind, String key, String value) {
    environment.executeInTransaction(txn ->
        environment
            .openStore(name, kind, txn)
            .put(txn, new ArrayByteIterable(bytes(key)), new ArrayByteIterable(bytes(value))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
