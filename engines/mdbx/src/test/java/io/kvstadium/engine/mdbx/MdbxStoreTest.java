package io.kvstadium.engine.mdbx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MdbxStoreTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir Path directory;

  @BeforeEach
  void needLibrary() {
    String missing = new MdbxEngine().unavailable();
    Assumptions.assumeTrue(missing == null, "needs: " + missing);
  }

  private Store open(String options) {
    return Stadium.open("mdbx:" + directory + "?durability=process" + options);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  @Test
  void missingLibraryIsNamedWithWhereToReadOn() {
    assertThat(MdbxEngine.missing("libnosuch.so"))
        .contains("libnosuch.so")
        .contains("stadium engines mdbx")
        .contains("LD_LIBRARY_PATH");
  }

  @Test
  void valuesAreReadInPlaceAndNotAfterwards() {
    try (Store store = open("")) {
      store.table().put(KEY, new byte[100]);

      MemorySegment kept =
          store
              .table()
              .get(
                  KEY,
                  value -> {
                    assertThat(value.isNative()).isTrue();
                    return value;
                  });

      assertThat(kept).isNotNull();
      assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void tableThatWasThereAtTheOpenIsInSnapshots() {
    try (Store store = open("")) {
      store.table().put(KEY, KEY);
      store.table("other").put(KEY, KEY);
    }

    try (Store store = open("");
        var snapshot = store.snapshot()) {
      assertThat(snapshot.on(store.table()).get(KEY)).isEqualTo(KEY);
      assertThat(snapshot.on(store.table("other")).get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void fullMapTakesNothingAndALargerOneGoesOn() {
    try (Store store = open("&map_size=2m")) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; ; i++) {
                  store.table().put(key(i), new byte[50_000]);
                }
              })
          .isInstanceOf(FullException.class)
          .hasMessageContaining("map_size");

      assertThat(store.table().get(key(0))).hasSize(50_000);
      store.table().put(key(0), KEY);
    }

    try (Store store = open("&map_size=64m")) {
      for (int i = 0; i < 200; i++) {
        store.table().put(key(i), new byte[50_000]);
      }
      assertThat(store.table().count()).isEqualTo(200);
    }
  }

  @Test
  void moreReadersThanAskedForAreRefusedWithTheOptionsName() {
    try (Store store = open("&max_readers=2");
        var first = store.snapshot();
        var second = store.snapshot()) {
      assertThat(first).isNotSameAs(second);
      assertThatThrownBy(store::snapshot)
          .isInstanceOf(FullException.class)
          .hasMessageContaining("max_readers");
    }
  }

  @Test
  void anotherFileIsCorrupt() throws IOException {
    open("").close();
    Files.write(directory.resolve("mdbx.dat"), new byte[1 << 20]);

    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void virtualThreadsWrite() throws Exception {
    try (Store store = open("");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers =
          IntStream.range(0, 100)
              .<Callable<Boolean>>mapToObj(i ->
                  () -> {
                    store.table().put(key(i), KEY);
                    return true;
                  })
              .toList();
      for (var written : threads.invokeAll(writers)) {
        assertThat(written.get()).isTrue();
      }

      assertThat(store.table().count()).isEqualTo(100);
    }
  }
}
