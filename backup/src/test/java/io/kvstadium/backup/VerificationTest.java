package io.kvstadium.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads whole stores; with checksums, damage does not go unnoticed. */
class VerificationTest {
  private static final byte[] NEEDLE =
      "this value is looked for in the files".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;

  private String url(String engine) {
    return engine + ":" + directory.resolve("store");
  }

  private static byte[] key(int number) {
    return "key%05d".formatted(number).getBytes(StandardCharsets.US_ASCII);
  }

  private static void fill(Store store) {
    store.table().put(key(7), NEEDLE);
    for (int i = 100; i < 300; i++) {
      store.table().put(key(i), ("value " + i).getBytes(StandardCharsets.US_ASCII));
      store.table("other").put(key(i), new byte[0]);
    }
    store.table().put(key(250), NEEDLE);
  }

  private List<Verification.Result> verify(String engine) {
    try (Store store = Stadium.open(url(engine), OpenOptions.DEFAULT.readOnly(true))) {
      return Verification.of(store, (_, _) -> {});
    }
  }

  /** Changes a byte of the needle wherever it is in the store's files. */
  private void damage() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.filter(Files::isRegularFile).forEach(VerificationTest::damage);
    }
  }

  private static void damage(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      String needle = new String(NEEDLE, StandardCharsets.ISO_8859_1);
      for (int at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
        bytes[at + 5] ^= 1;
        Files.write(file, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "sqlite", "rocksdb"})
  void aSoundStoreHasNoProblem(String engine) {
    try (Store store = Stadium.open(url(engine))) {
      fill(store);
    }

    List<Verification.Result> results = verify(engine);

    assertThat(results).extracting(Verification.Result::table).containsExactly("default", "other");
    assertThat(results).extracting(Verification.Result::entries).containsExactly(201L, 200L);
    assertThat(results).extracting(Verification.Result::problems).containsOnly(0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "sqlite"})
  void withoutAChecksumItIsNotFound(String engine) throws IOException {
    try (Store store = Stadium.open(url(engine))) {
      fill(store);
    }
    damage();

    assertThat(verify(engine).getFirst().problems()).isZero();
  }
}
