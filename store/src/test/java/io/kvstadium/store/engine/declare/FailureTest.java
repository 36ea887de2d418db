package io.kvstadium.store.engine.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.UnknownOutcomeException;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.internal.guard.Failures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to what an engine throws. */
class FailureTest {
  private static final Map<Kind, Class<? extends StadiumException>> EXCEPTIONS =
      Map.of(
          Kind.FULL, FullException.class,
          Kind.LOCKED, LockedException.class,
          Kind.UNKNOWN_OUTCOME, UnknownOutcomeException.class,
          Kind.CORRUPT, CorruptException.class,
          Kind.CONFLICT, ConflictException.class,
          Kind.IO, StoreIoException.class,
          Kind.ARGUMENT, BadArgumentException.class,
          Kind.OTHER, StadiumException.class);

  private final FakeEngine engine = new FakeEngine();
  private final byte[] key = {1};

  @ParameterizedTest
  @EnumSource
  void isWordedInOneForm(Kind kind) {
    Store store = engine.openHere("fake:");
    failWith(new Failure(kind, "it is so", "do that", Blocks.NOTHING));

    assertThatThrownBy(() -> store.table().put(key, key))
        .isExactlyInstanceOf(EXCEPTIONS.get(kind))
        .hasMessage(
            "engine fake, : it is so: do that" + (kind == Kind.FULL ? "" : " (the engine's words)"))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void isThrownAsItIsWhereTheEngineDoesNotKnowIt() {
    Store store = engine.openHere("fake:");
    IllegalStateException unknown = new IllegalStateException("unknown");
    engine.atCall =
        () -> {
          throw unknown;
        };

    assertThatThrownBy(() -> store.table().put(key, key)).isSameAs(unknown);
  }

  @Test
  void ofAWriteRefusesWhatItBlocks() {
    Store store = engine.openHere("fake:");
    failWith(new Failure(Kind.FULL, "full", "").blocking(Blocks.WRITES));
    assertThatThrownBy(() -> store.table().put(key, key)).isInstanceOf(FullException.class);
    engine.atCall = () -> {};

    assertThat(store.table().get(key)).isNull();
    assertThatThrownBy(() -> store.table().put(key, key))
        .isInstanceOf(FullException.class)
        .hasMessageContaining("open it again")
        .hasCauseInstanceOf(FullException.class);
    assertThat(store.status().state()).isEqualTo(StoreStatus.State.FAILED);
  }

  @Test
  void ofInputOrOutputInAWriteRefusesAllCalls() {
    Store store = engine.openHere("fake:");
    failWith(new Failure(Kind.IO, "the disk failed", "check it"));
    assertThatThrownBy(() -> store.table().put(key, key)).isInstanceOf(StoreIoException.class);
    engine.atCall = () -> {};

    assertThatThrownBy(() -> store.table().get(key))
        .hasMessageContaining("an earlier write failed");
  }

  @Test
  void ofAWriteIsTheOneThatTheCloseAddsItsOwnTo() {
    Store store = engine.openHere("fake:");
    failWith(new Failure(Kind.FULL, "full", "").blocking(Blocks.ALL));
    Throwable failure = catchThrowable(() -> store.table().put(key, key));
    engine.atStoreClose =
        () -> {
          throw new IllegalStateException();
        };

    store.close();

    assertThat(failure).isInstanceOf(FullException.class);
    assertThat(failure.getSuppressed()).hasSize(1);
  }

  /** One of several calls gets the full disk; which of them returns first is up to chance. */
  @Test
  void ofAFullDiskIsWhatTheOthersAreToldOf() {
    Store store = engine.openHere("fake:");
    Failure io = new Failure(Kind.IO, "another call failed", "").blocking(Blocks.WRITES);
    Failure full = new Failure(Kind.FULL, "full", "").blocking(Blocks.WRITES);
    engine.classifier = e -> e instanceof IOException ? io : full;
    engine.atCall =
        () -> { // of the first call; the second comes in its middle, and returns before it
          engine.atCall =
              () -> {
                throw new IOException();
              };
          assertThatThrownBy(() -> store.table().put(key, key))
              .isInstanceOf(StoreIoException.class);
          throw new IllegalStateException();
        };
    assertThatThrownBy(() -> store.table().put(key, key)).isInstanceOf(FullException.class);
    engine.atCall = () -> {};

    assertThatThrownBy(() -> store.table().put(key, key)).isInstanceOf(FullException.class);
  }

  @Test
  void ofAFullDiskIsAnyThatFollows(@TempDir Path directory) {
    Failure io = new Failure(Kind.IO, "an earlier call failed", "");
    Failure full = new Failure(Kind.FULL, "full", "");
    Failures failures =
        new Failures("fake", "", directory, e -> e instanceof IOException ? full : io);

    assertThat(failures.of(new IllegalStateException())).isInstanceOf(StoreIoException.class);
    assertThat(failures.of(new IOException())).isInstanceOf(FullException.class);
    assertThat(failures.of(new IllegalStateException()))
        .isInstanceOf(FullException.class)
        .hasMessageContaining("the disk is full");
  }

  @Test
  void whereNoDiskIsIsNoFullDisk() {
    assertThat(Failure.ofWriting(Path.of("nowhere", "at all")).kind()).isEqualTo(Kind.IO);
  }

  @Test
  void insideATransactionForbidsItsCommitThoughTheBlockGoesOn() {
    Store store = engine.openHere("fake:");
    failWith(new Failure(Kind.FULL, "full", ""));

    assertThatThrownBy(() ->
            store.transact(tx -> {
              assertThatThrownBy(() -> tx.on(store.table()).put(key, key))
                  .isInstanceOf(FullException.class);
              engine.atCall = () -> {};
              tx.on(store.table()).put(new byte[] {2}, key);
              return 0;
            }))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining("a call of this transaction failed");

    assertThat(store.table().count()).isZero();
  }

  @Test
  void ofTheApplicationsOwnReaderIsNoneOfTheEngines() {
    Store store = engine.openHere("fake:");
    store.table().put(key, key);
    engine.classifier = _ -> new Failure(Kind.CORRUPT, "wrongly classified", "");
    IllegalStateException own = new IllegalStateException("the application's");

    assertThatThrownBy(() ->
            store
                .table()
                .get(
                    key,
                    _ -> {
                      throw own;
                    }))
        .isSameAs(own);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTheApplicationsOwnIteratorIsNoneOfTheEngines(boolean listened) {
    engine.loads = true;
    List<String> told = new ArrayList<>();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void failed(Call call, String table, RuntimeException failure) {
            told.add(call + " failed");
          }
        };
    OpenOptions how = listened ? OpenOptions.DEFAULT.listener(listener) : OpenOptions.DEFAULT;
    Store store = Engines.of(List.of(engine)).open("fake:", how);
    engine.classifier = _ -> new Failure(Kind.CORRUPT, "wrongly classified", "");
    IllegalStateException own = new IllegalStateException("the application's");
    Iterator<Entry<byte[], byte[]>> broken =
        Stream.generate(
                () -> {
                  throw own;
                })
            .map(_ -> new Entry<>(key, key))
            .iterator();

    assertThatThrownBy(() -> store.table().bulkLoad(broken, false)).isSameAs(own);
    assertThat(told).isEmpty();
  }

  private void failWith(Failure failure) {
    engine.atCall =
        () -> {
          throw new IOException("the engine's words");
        };
    engine.classifier = _ -> failure;
  }
}
