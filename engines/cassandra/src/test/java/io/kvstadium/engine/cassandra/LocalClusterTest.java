package io.kvstadium.engine.cassandra;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.cluster.LocalCluster;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class LocalClusterTest {
  /** One, since each costs every build half a minute; {@code -Dcluster.nodes=3} for three. */
  private static final int NODES = Integer.getInteger("cluster.nodes", 1);

  private static final long HEAP = 192L << 20;

  @TempDir private Path temp;

  @Test
  void entriesSurviveTheKillOfANodeAndTheEndOfAll() throws Exception {
    String missing = TestNode.unavailable();
    assumeTrue(missing == null, "needs: " + missing);
    LocalCluster cluster = LocalCluster.create(temp.resolve("cluster"), NODES, 0, HEAP);
    try {
      List<Integer> seen = new ArrayList<>();
      cluster.start(TestNode.program(), node -> seen.add(node.number()));
      assertThat(seen).hasSize(NODES);
      String url = cluster.url("app") + "?durability=power";

      try (Store store = Stadium.open(url)) {
        store.table().put(new byte[] {1}, new byte[] {10});
        Signals.kill(requireNonNull(cluster.nodes().getLast().process()));
        if (NODES > 1) {
          store.table().put(new byte[] {2}, new byte[] {20});
          assertThat(store.table().get(new byte[] {1})).containsExactly(10);
        }
      }

      LocalCluster again = LocalCluster.open(cluster.directory());
      assertThat(again.nodes()).isEqualTo(cluster.nodes());
      again.start(TestNode.program(), _ -> {});

      try (Store store = Stadium.open(url)) {
        assertThat(store.table().count()).isEqualTo(NODES > 1 ? 2 : 1);
        assertThat(store.table().get(new byte[] {1})).containsExactly(10);
      }
      assertThatThrownBy(cluster::remove)
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("node 1 is running");
    } finally {
      cluster.stop();
    }
    cluster.remove();
    assertThat(temp).isEmptyDirectory();
    assertThatThrownBy(() -> LocalCluster.open(cluster.directory()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no cluster");
  }
}
