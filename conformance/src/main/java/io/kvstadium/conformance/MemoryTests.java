package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.OptionSpec;
import io.kvstadium.store.engine.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code memory=SIZE} promises. */
interface MemoryTests extends Staged {
  /** How often 10 MB are written, and some of them read, unless an engine takes too long. */
  int ROUNDS = 40;

  long MOST_NANOS = 60_000_000_000L;

  long HEAP = 64 << 20;

  /** What a virtual machine has besides its heap, and what allocators keep for later. */
  long BESIDES = 128 << 20;

  @Tag("full")
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Test
  default void leastBudgetIsKept() throws Exception {
    Store usual = stage().openAny();
    EngineInfo info = usual.engine();
    Set<Capability> has = usual.capabilities();
    usual.close();
    OptionSpec memory =
        info.options().stream()
            .filter(option -> option.name().equals("memory"))
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(
        memory != null && has.contains(Capability.BATCH) && Files.isDirectory(stage().path()),
        "no budget of memory");
    String least = Objects.requireNonNull(Objects.requireNonNull(memory).range()).min();
    String url = stage().url("budget");
    for (String part : Objects.requireNonNull(memory.budget()).parts().keySet()) {
      url = url.replaceAll("(?<=[?&])" + part + "=[^&]*&?", "");
    }
    url = Stage.with(url, "memory", least);
    Path said = stage().path().resolveSibling("child-says");
    try (OtherProcess other = new OtherProcess(said, "-Xmx" + HEAP)) {
      assertThat(other.ask("write " + url)).isEqualTo("ok");
      long most = 0;
      long end = System.nanoTime() + MOST_NANOS;
      for (int round = 0; round < ROUNDS && System.nanoTime() < end; round++) {
        assertThat(other.ask("churn " + round)).isEqualTo("ok");
        most = Math.max(most, anonymous(other.pid()));
      }
      assertThat(most).isLessThan(Options.parseSize(least) + HEAP + BESIDES);
    }
  }

  /** A process's memory, without the files that it maps. */
  private static long anonymous(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }
}
