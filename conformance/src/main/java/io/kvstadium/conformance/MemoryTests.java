package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code memory=SIZE} promises. {@code benchmarks/memory.py} does the same for an hour. */
interface MemoryTests extends Staged {
  /** How often some 10 MB are written, and as much is read, unless an engine takes too long. */
  int ROUNDS = 40;

  int ENTRIES = 500;

  /** Before the memory is first looked at: code is loaded and compiled. */
  int WARM_UPS = 20;

  long MOST_NANOS = 40_000_000_000L;

  String HEAP = "64m";

  double KEPT = 1.1;

  /** What more code takes, and what allocators keep for later. */
  long BESIDES = 32 << 20;

  @Test
  default void opensAndWorksInASmallHeap() throws Exception {
    Store usual = stage().open();
    Assumptions.assumeTrue(Files.isDirectory(stage().path()), "no directory");
    usual.close();
    Path said = stage().path().resolveSibling("child-says");

    try (OtherProcess other = new OtherProcess(said, "-Xmx" + HEAP)) {
      assertThat(other.ask("write " + stage().url("small"))).isEqualTo("ok");
      assertThat(other.ask("put a 1")).isEqualTo("ok");
      assertThat(other.ask("get a")).isEqualTo(Bytes.text(Bytes.bytes("1")));
      assertThat(other.ask("close")).isEqualTo("ok");
    }
  }

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
    String text = Objects.requireNonNull(Objects.requireNonNull(memory).range()).min();
    String url = stage().url("budget");
    for (String part : Objects.requireNonNull(memory.budget()).parts().keySet()) {
      url = url.replaceAll("(?<=[?&])" + part + "=[^&]*&?", "");
    }
    url = Stage.with(url, "memory", text);
    long least = Options.parseSize(text);
    Path said = stage().path().resolveSibling("child-says");
    try (OtherProcess other =
        new OtherProcess(said, "-Xms" + HEAP, "-Xmx" + HEAP, "-XX:+AlwaysPreTouch")) {
      assertThat(other.ask("write " + url)).isEqualTo("ok");
      for (int round = 0; round < WARM_UPS; round++) {
        assertThat(other.ask("churn " + round + " 1")).isEqualTo("ok");
      }
      long empty = anonymous(ProcessHandle.of(other.pid()).stream().toList());
      long end = System.nanoTime() + MOST_NANOS;
      for (int round = 0; round < ROUNDS && System.nanoTime() < end; round++) {
        assertThat(other.ask("churn " + round + " " + ENTRIES)).isEqualTo("ok");
        ProcessHandle process = ProcessHandle.of(other.pid()).orElseThrow();
        assertThat(anonymous(List.of(process)))
            .as("the process, which took %d when the store was empty", empty)
            .isLessThan((long) (empty + KEPT * least + BESIDES));
        assertThat(anonymous(process.descendants().toList()))
            .as("a server that it has started")
            .isLessThan((long) (KEPT * least));
        List<String> own = List.of(other.ask("memory").split(" "));
        assertThat(Long.parseLong(own.getFirst())).isEqualTo(least);
        assertThat(Long.parseLong(own.getLast()))
            .as("what the engine says that it holds")
            .isBetween(0L, (long) (KEPT * least));
      }
    }
  }

  /** Processes' memory without the files that they map, and once what they share. */
  private static long anonymous(List<ProcessHandle> processes) {
    long own = 0;
    long shared = 0;
    for (ProcessHandle each : processes) {
      for (String line : status(each)) {
        if (line.startsWith("RssAnon:")) {
          own += Long.parseLong(line.replaceAll("\\D", "")) << 10;
        } else if (line.startsWith("RssShmem:")) {
          shared = Math.max(shared, Long.parseLong(line.replaceAll("\\D", "")) << 10);
        }
      }
    }
    return own + shared;
  }

  private static List<String> status(ProcessHandle process) {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
    } catch (IOException e) {
      return List.of(); // one of the server's that has ended
    }
  }
}
