package io.kvstadium.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AccessLogTest {
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final AccessLog log = new AccessLog(() -> Instant.ofEpochMilli(now.get()));

  @Test
  void whatIsAlikeWithinAMinuteIsCountedTogether() {
    log.add("key", "toplevel", "a", "u", "first");
    now.addAndGet(30_000);
    log.add("key", "multi", "a", "u", "in a block");
    now.addAndGet(30_000);
    log.add("key", "toplevel", "a", "u", "second");
    now.addAndGet(60_001);
    log.add("key", "toplevel", "a", "u", "third");

    List<AccessLog.Entry> latest = log.latest(10);

    assertThat(latest)
        .extracting(AccessLog.Entry::client)
        .containsExactly("third", "second", "in a block");
    assertThat(latest).extracting(AccessLog.Entry::count).containsExactly(1L, 2L, 1L);
  }

  @Test
  void ofLongNamesTheBeginningIsKept() {
    log.add("key", "toplevel", "k".repeat(1_000), "u".repeat(1_000), "");
    log.add("key", "toplevel", "k".repeat(1_000), "u".repeat(1_000), "");

    AccessLog.Entry only = log.latest(10).getFirst();

    assertThat(only.count()).isEqualTo(2);
    assertThat(only.object()).isEqualTo("k".repeat(128) + "…");
    assertThat(only.user()).isEqualTo("u".repeat(128) + "…");
  }
}
