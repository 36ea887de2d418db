package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Files that were damaged while the store was closed. */
interface DamageTests extends Staged {
  @Test
  default void damagedValueIsNeverReadAsAnother() throws IOException {
    Store store = stage().openWith(Capability.PERSISTENT, Capability.CHECKSUMS);
    Assumptions.assumeTrue(Files.isDirectory(stage().path()), "no directory");
    byte[] value = new byte[300]; // which no compression makes shorter
    new Random(1).nextBytes(value);
    for (int i = 0; i < 100; i++) {
      store.table().put(Bytes.key(i), Bytes.value(300, i));
    }
    store.table().put(Bytes.key(50), value);
    store.compact(); // out of a log that is read once at the open
    store.close();

    assertThat(flip(stage().path(), value)).as("files that hold the value").isPositive();

    assertThatThrownBy(() -> stage().open().table().get(Bytes.key(50)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(stage().path().toString());
  }

  /** Changes a bit in the middle of each copy of these bytes. */
  private static int flip(Path directory, byte[] bytes) throws IOException {
    String pattern = new String(bytes, StandardCharsets.ISO_8859_1);
    int flipped = 0;
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      String text = new String(content, StandardCharsets.ISO_8859_1);
      for (int at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
        content[at + bytes.length / 2] ^= 1;
        flipped++;
      }
      Files.write(file, content);
    }
    return flipped;
  }
}
