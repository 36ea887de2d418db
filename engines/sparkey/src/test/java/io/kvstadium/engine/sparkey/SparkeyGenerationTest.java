package io.kvstadium.engine.sparkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /**
   * A virtual thread that waited for its reader to be mapped would leave its carrier, and would not
   * get one again while others keep them busy.
   */
  @Test
  void readers_are_mapped_without_giving_up_the_carrier() throws Exception {
    File base = directory.resolve("pair").toFile();
    try (SparkeyWriter writer = Sparkey.createNew(base)) {
      writer.put("k", "v");
      writer.writeHash();
    }
    Generation generation = new Generation(base);
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean starved = new AtomicBoolean();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Runnable busy =
        () -> {
          while (!done.get() && !starved.get()) {
            starved.compareAndSet(false, System.nanoTime() > end);
            Thread.onSpinWait();
          }
        };
    List<Thread> others = new ArrayList<>();

    Thread reading =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                others.add(Thread.ofVirtual().start(busy));
              }
              List<PooledReader> taken = new ArrayList<>();
              for (int i = 0; i < MANY; i++) { // more than are mapped already
                PooledReader reader = generation.take();
                assertThat(reader).isNotNull();
                open(reader, base);
                taken.add(reader);
              }
              taken.forEach(PooledReader::giveBack);
              done.set(true);
            });
    reading.join();
    for (Thread other : others) {
      other.join();
    }

    assertThat(starved).isFalse();
    assertThat(done).isTrue();
    assertThat(generation.unpin()).isTrue();
  }

  private static void open(PooledReader reader, File base) {
    try {
      assertThat(reader.open(base).getAsString("k")).isEqualTo("v");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
