package io.kvstadium.engine.sparkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyWriter;
import java.io.File;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkeyGenerationTest {
  private static final int MANY = 100;

  @TempDir Path directory;

  @Test
  void there_are_readers_for_all_who_need_one_at_once_and_none_after_the_last_pin()
      throws Exception {
    File base = directory.resolve("pair").toFile();
    try (SparkeyWriter writer = Sparkey.createNew(base)) {
      writer.put("k", "v");
      writer.writeHash();
    }
    int maps = Sparkey.getOpenMaps();
    Generation generation = new Generation(base);

    Set<PooledReader> taken = new HashSet<>();
    for (int i = 0; i < MANY; i++) {
      PooledReader reader = generation.take();
      assertThat(reader.open(base).getAsString("k")).isEqualTo("v");
      taken.add(reader);
    }
    assertThat(taken).hasSize(MANY);

    CompletableFuture<Boolean> last = CompletableFuture.supplyAsync(generation::unpin);
    for (PooledReader reader : taken) {
      assertThat(reader.open(base).getAsString("k")).isEqualTo("v"); // still mapped
      reader.giveBack();
    }
    assertThat(last.join()).isTrue();
    assertThat(generation.take()).isNull();
    assertThat(Sparkey.getOpenMaps()).isEqualTo(maps);
  }
}
