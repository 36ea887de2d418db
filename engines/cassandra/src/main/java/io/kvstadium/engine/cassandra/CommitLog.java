package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the nodes keep what they acknowledge.
 *
 * @param durableWrites whether the keyspace is written to the commit log at all
 * @param sync each node's commitlog_sync, by its address; {@code unknown} if it does not say
 */
record CommitLog(boolean durableWrites, Map<String, String> sync) {
  private static final String SETTING = "commitlog_sync";

  /** The column of a node's own time, in milliseconds. */
  static final String NOW = "now";

  private static final String UNKNOWN = "unknown";
  private static final Set<String> BEFORE_THE_ANSWER = Set.of("batch", "group");

  /** Asks every node of the datacenter that is up, since each has its own settings and time. */
  static List<EachNode.Answer> ask(CqlSession session, InstantSource clock) {
    return EachNode.ask(
        session,
        CommitLog::counts,
        SimpleStatement.newInstance(
            "SELECT value, toUnixTimestamp(now()) AS "
                + NOW
                + " FROM system_views.settings WHERE name = ?",
            SETTING),
        clock);
  }

  static CommitLog of(List<EachNode.Answer> answers, boolean durableWrites) {
    Map<String, String> sync = new TreeMap<>();
    for (EachNode.Answer answer : answers) {
      Row row = answer.row();
      String value = row == null ? null : row.getString(0);
      sync.put(answer.node().getEndPoint().toString(), value == null ? UNKNOWN : value);
    }
    return new CommitLog(durableWrites, sync);
  }

  private static boolean counts(Node node) {
    return node.getDistance() == NodeDistance.LOCAL
        && node.getState() != NodeState.FORCED_DOWN
        && node.getState() != NodeState.DOWN;
  }

  /**
   * The strongest level that is certain. With {@code periodic} a kill loses what the log does not
   * cover yet: it is readable only up to a mark that is written ten times a second.
   */
  Durability level() {
    return durableWrites && !sync.isEmpty() && BEFORE_THE_ANSWER.containsAll(sync.values())
        ? Durability.POWER
        : Durability.NONE;
  }

  /** Refuses a level that the nodes do not give. */
  void demand(Durability asked, Address address) {
    if (asked != Durability.ENGINE_DEFAULT && asked.compareTo(level()) > 0) {
      throw new UnsupportedException(
          ("cassandra: %s cannot give durability %s: %s, or ask for less, such as"
                  + " durability=none")
              .formatted(
                  address,
                  asked.word(),
                  durableWrites
                      ? "its nodes have "
                          + SETTING
                          + " "
                          + sync
                          + "; run each with commitlog_sync: group and commitlog_sync_group_window: 1ms"
                      : "its keyspace has durable_writes = false; alter that to true"));
    }
  }
}
