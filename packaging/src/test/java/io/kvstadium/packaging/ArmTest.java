package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Linux on ARM, by an emulator: every engine that its maker ships for it. */
@Tag("full")
class ArmTest {
  private static final int MINUTES = 40;

  @Test
  @Timeout(value = MINUTES + 1, unit = TimeUnit.MINUTES)
  void enginesServerBenchmarkAndTortureWork(@TempDir Path directory) throws Exception {
    Needs.program("qemu-aarch64-static", "qemu-user-static");
    Needs.program("redis-cli", "redis-tools");
    Needs.that(
        Files.isDirectory(Path.of("/usr/aarch64-linux-gnu/lib")),
        "libraries for ARM",
        "libc6-arm64-cross libstdc++6-arm64-cross");

    List<String> command =
        List.of(
            Checkout.ROOT.resolve("packaging/try-arm.sh").toString(),
            Checkout.ROOT.resolve("target/dist").toString(),
            "rocksdb",
            "lmdb",
            "sqlite",
            "h2",
            "mvstore",
            "berkeleydb",
            "xodus",
            "sparkey",
            "speedb");
    Checkout.Run run = Checkout.run(directory, command, MINUTES);

    assertThat(run.exit()).as(run.said()).isZero();
  }
}
