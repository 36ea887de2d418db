package io.kvstadium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What strings of many megabytes cost. */
class LargeStringsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void aLargeStringIsCopiedNoMoreThanNeeded() {
    byte[] value = new byte[64 << 20];
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("config", "set", "slowlog-log-slower-than", "0");
      client.call("set", "small", "x");
      long before = allocatedByOthers();

      client.send(List.of("set".getBytes(US_ASCII), "big".getBytes(US_ASCII), value));

      assertThat(client.read().value()).isEqualTo("OK");
      // 4/3 as it arrives and grows, 1 as it is stored, 1 in the store
      assertThat(allocatedByOthers() - before).isLessThan(value.length * 7L / 2);
      assertThat(client.call("strlen", "big")).isEqualTo((long) value.length);
    }
  }

  @Test
  void whatNeedsNoContentDoesNotReadIt() {
    byte[] value = new byte[16 << 20];
    try (TestServer server = TestServer.start("rocksdb:");
        RespClient client = server.connect()) {
      client.send(List.of("set".getBytes(US_ASCII), "big".getBytes(US_ASCII), value));
      assertThat(client.read().value()).isEqualTo("OK");
      long before = allocatedByOthers();

      assertThat(client.call("strlen", "big")).isEqualTo((long) value.length);
      assertThat(client.call("getrange", "big", "60000", "60001")).isEqualTo("\0\0");
      assertThat(client.call("getbit", "big", "400000")).isEqualTo(0L);
      assertThat(client.call("exists", "big")).isEqualTo(1L);
      assertThat(client.call("type", "big")).isEqualTo("string");
      assertThat(client.call("ttl", "big")).isEqualTo(-1L);
      assertThat(client.call("object", "encoding", "big")).isEqualTo("raw");
      assertThat((Long) client.call("memory", "usage", "big"))
          .isBetween(value.length + 4L, value.length * 101L / 100);
      assertThat(client.call("setnx", "big", "x")).isEqualTo(0L);
      assertThat(client.reply("hget", "big", "x").raw()).startsWith("-WRONGTYPE");
      assertThat(client.call("watch", "big")).isEqualTo("OK");
      assertThat(client.call("set", "big", "x", "keepttl")).isEqualTo("OK");
      assertThat(allocatedByOthers() - before).isLessThan(value.length / 2);
    }
  }

  private static long allocatedByOthers() {
    return THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes();
  }

  /** The heap may become 4 GB large, and without relief takes 760 MB of them. */
  @Test
  void theHeapStaysSmallWhileLargeStringsComeAndGo() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    Process child =
        new ProcessBuilder(
                java,
                "-XX:+UseSerialGC",
                "-Xms32m",
                "-Xmx4g",
                "-cp",
                System.getProperty("java.class.path"),
                Allocator.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String largest = new String(child.getInputStream().readAllBytes(), US_ASCII).strip();

    assertThat(child.waitFor()).isZero();
    assertThat(Long.parseLong(largest)).isLessThan(600L << 20);
  }

  /** Prints the largest heap while 3 GB of large arrays come and go. */
  static final class Allocator {
    @SuppressWarnings("unused") // so that the array is really made
    private static volatile byte[] latest = {};

    public static void main(String[] args) {
      MemoryRelief relief = new MemoryRelief();
      long largest = 0;
      for (int i = 0; i < 120; i++) {
        latest = new byte[25 << 20];
        relief.run();
        largest = Math.max(largest, Runtime.getRuntime().totalMemory());
      }
      System.out.println(largest);
    }
  }
}
