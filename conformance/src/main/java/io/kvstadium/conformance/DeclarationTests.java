package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.Table;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.internal.open.Stores;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine says about itself, and that it refuses what it does not declare. */
interface DeclarationTests extends Staged {
  @Test
  default void engineIntroducesItself() {
    Store store = stage().openAny();
    EngineInfo info = store.engine();

    assertThat(info.name()).matches("[a-z][a-z0-9-]*");
    assertThat(store.url()).startsWith(info.name() + ":");
    assertThat(info.title()).isNotBlank();
    assertThat(info.version()).isNotBlank().doesNotContain(LibraryVersion.UNKNOWN);
    assertThat(info.licence()).isNotBlank();
    assertThat(info.description()).isNotBlank();
    assertThat(info.upstream()).isNotBlank();
    assertThat(info.notes()).allSatisfy(note -> assertThat(note).isNotBlank());
    assertThat(info.limits().maxKeyBytes()).isPositive();
    assertThat(info.limits().maxValueBytes()).isPositive();
    assertThat(store.limits().maxKeyBytes()).isBetween(1, info.limits().maxKeyBytes());
    assertThat(store.limits().maxValueBytes()).isBetween(1, info.limits().maxValueBytes());
    assertThat(store.limits().minValueBytes()).isNotNegative();
    assertThat(store.stats()).isNotNull().doesNotContainKey("");
    StoreStatus.Memory memory = Objects.requireNonNull(store.status().memory());
    assertThat(memory.parts().values()).allSatisfy(bytes -> assertThat(bytes).isNotNegative());
    WriteStalls stalls = store.stalls();
    if (stalls != null) {
      assertThat(stalls.nanos()).isGreaterThanOrEqualTo(-1);
      assertThat(stalls.causes()).allSatisfy(each -> assertThat(each.times()).isPositive());
    }
    BackgroundWork background = store.background();
    if (background != null) {
      assertThat(background.jobs()).isNotNegative();
      assertThat(background.pendingBytes()).isNotNegative();
      assertThat(store.stats()).containsKeys("background_jobs", "compaction_pending_bytes");
    }
    for (OptionSpec option : info.options()) {
      assertThat(option.name())
          .matches("[a-z][a-z0-9_]*")
          .isNotIn("durability", "read_only", "sync_every", "incomplete", "checksum", "adopt");
      assertThat(option.description()).isNotBlank();
      OptionSpec.Tuning tuning = option.tuning();
      for (String value : tuning == null ? List.<String>of() : tuning.alternatives()) {
        String tried = value.startsWith("data") ? "64m" : value;
        assertThat(Options.of("any", info.options(), Map.of(option.name(), tried)).given())
            .as("a value that is worth trying")
            .isNotEmpty();
      }
    }
  }

  @Test
  default void capabilitiesFitTogether() {
    Store store = stage().openAny();
    Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
    capabilities.addAll(store.capabilities());
    capabilities.remove(Capability.TRANSACTION); // which the library adds

    assertThat(store.engine().capabilities()).containsAll(capabilities);
    Engines engines = Engines.installed();
    StoreConfig config = engines.config(stage().url());
    Set<Capability> said = EnumSet.noneOf(Capability.class);
    said.addAll(engines.engine(store.engine().name()).capabilities(config));
    said.remove(Capability.TRANSACTION);
    var foretold =
        assertThat(said).as("what the engine says about the options before there is a store");
    if (config.path() == null) { // a server may lack something
      foretold.containsAll(capabilities);
    } else {
      foretold.isEqualTo(capabilities);
    }
    if (capabilities.contains(Capability.ORDERED_SCAN)) {
      assertThat(capabilities).contains(Capability.SCAN);
    }
    assertThat(capabilities)
        .as("some way to bring entries in")
        .containsAnyOf(Capability.WRITE, Capability.BULK_LOAD);
    if (capabilities.contains(Capability.BATCH)) {
      assertThat(capabilities).contains(Capability.WRITE);
    }
    if (capabilities.contains(Capability.RANGE_DELETE)) {
      assertThat(capabilities).contains(Capability.BATCH, Capability.ORDERED_SCAN);
    }
    if (capabilities.contains(Capability.SERIALIZABLE_SCANS)) {
      assertThat(capabilities).contains(Capability.SCAN);
      assertThat(store.capabilities()).contains(Capability.TRANSACTION);
    }
    if (store.capabilities().contains(Capability.TRANSACTION)) {
      assertThat(capabilities)
          .containsAnyOf(Capability.OPTIMISTIC_TRANSACTION, Capability.PESSIMISTIC_TRANSACTION);
    }
    if (capabilities.contains(Capability.CONCURRENT_READ_ONLY)) {
      assertThat(capabilities).contains(Capability.READ_ONLY);
    }
    if (capabilities.contains(Capability.BACKUP)) {
      assertThat(capabilities).contains(Capability.PERSISTENT, Capability.SCAN);
    }
  }

  /** A use of the store that needs the capability, or null if it has other tests. */
  private static ThrowingCallable use(Capability capability, Stage stage, Store store) {
    Table<byte[], byte[]> table = store.table();
    return switch (capability) {
      case WRITE -> () -> table.put(bytes("a"), bytes("1"));
      case SCAN -> () -> table.scan(Range.all()).close();
      case ORDERED_SCAN -> () -> table.scan(Range.<byte[]>all().from(bytes("a"), true)).close();
      case TABLES -> () -> store.table("one");
      case BATCH -> () -> store.write(batch -> batch.put(table, bytes("a"), bytes("1")));
      case TRANSACTION -> () -> store.transact(tx -> tx.on(table).contains(bytes("a")));
      case OPTIMISTIC_TRANSACTION -> () -> transact(store, TransactionMode.OPTIMISTIC);
      case PESSIMISTIC_TRANSACTION -> () -> transact(store, TransactionMode.PESSIMISTIC);
      case SNAPSHOT -> () -> store.snapshot().close();
      case BACKUP ->
          () -> Stores.copyFiles(store, new FileCopy(stage.path().resolveSibling("copy")));
      case ESTIMATED_COUNT ->
          () -> {
            Stage.load(table, 1_000, Bytes::key);
            assertThat(table.estimateCount()).isBetween(1L, 10_000L);
          };
      case READ_ONLY ->
          () -> {
            store.close();
            stage.open(OpenOptions.DEFAULT.readOnly(true)).close();
          };
      case ADOPT ->
          () -> {
            if (store.capabilities().contains(capability)) {
              return; // only the engine's own tests know other programs' files
            }
            store.close();
            String url = StoreUrl.parse(stage.url()).with("adopt", "true").toString();
            stage.open(url, OpenOptions.DEFAULT).close();
          };
      case PERSISTENT,
          BULK_LOAD,
          SERIALIZABLE_SCANS,
          CONCURRENT_READ_ONLY,
          CHECKSUMS,
          EMPTY_KEY,
          RANGE_DELETE,
          COMPACT,
          RESUME_AFTER_FULL -> // torture fills disks
          () -> {};
    };
  }

  private static void transact(Store store, TransactionMode mode) {
    Table<byte[], byte[]> table = store.table();
    store.transact(TransactionOptions.DEFAULT.mode(mode), tx -> tx.on(table).contains(bytes("a")));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "PERSISTENT",
        "BULK_LOAD",
        "SERIALIZABLE_SCANS",
        "CONCURRENT_READ_ONLY",
        "CHECKSUMS",
        "EMPTY_KEY",
        "RANGE_DELETE",
        "COMPACT",
        "RESUME_AFTER_FULL"
      })
  default void declaredIsAllowedAndUndeclaredIsRefused(Capability capability) {
    Store store = stage().openAny();
    ThrowingCallable use = use(capability, stage(), store);

    if (store.capabilities().contains(capability)) {
      assertThatCode(use).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(use)
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining(store.engine().name())
          .hasMessageContaining(capability.description());
    }
  }

  @ParameterizedTest
  @EnumSource
  default void durabilityIsAsAskedOrStronger(Durability asked) {
    Store usual = stage().open();
    EngineInfo info = usual.engine();
    usual.close();
    String url = Stage.with(stage().url("other"), asked);

    if (!info.durability().containsKey(asked)) {
      assertThatThrownBy(() -> stage().open(url, OpenOptions.DEFAULT))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining(asked.word());
      return;
    }
    Store store = stage().open(url, OpenOptions.DEFAULT);
    if (asked != Durability.ENGINE_DEFAULT) {
      assertThat(store.durability()).isNotEqualTo(Durability.ENGINE_DEFAULT);
      assertThat(store.durability()).isGreaterThanOrEqualTo(asked);
    }
    assertThat(info.durability().get(asked))
        .satisfies(mapping -> {
          assertThat(mapping.effective()).isEqualTo(store.durability());
          assertThat(mapping.settings()).isNotBlank();
        });
    store.table().put(bytes("a"), bytes("1"));
    Stage.sync(store);
    store.close();
    if (info.capabilities().contains(Capability.PERSISTENT)) {
      Store again = stage().open(url, OpenOptions.DEFAULT);
      assertThat(again.table().contains(bytes("a"))).isTrue();
    }
  }
}
