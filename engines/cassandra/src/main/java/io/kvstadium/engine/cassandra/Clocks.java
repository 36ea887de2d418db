package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import io.kvstadium.store.UnsupportedException;
import java.time.Duration;
import java.util.List;

/**
 * How far the nodes' clocks are from this machine's. Of two writes of a key the one with the later
 * time wins, and each client sets its own time: the writes of a client whose clock is behind may be
 * lost.
 */
final class Clocks {
  private Clocks() {}

  /**
   * Refuses nodes whose clocks are certainly further off than that, however long their answers
   * took.
   */
  static void demand(List<EachNode.Answer> answers, Duration most, Address address) {
    for (EachNode.Answer answer : answers) {
      Row row = answer.row();
      long millis =
          row == null ? 0 : ahead(answer.asked(), row.getLong(CommitLog.NOW), answer.told());
      if (Math.abs(millis) > most.toMillis()) {
        throw new UnsupportedException(
            "cassandra: %s: the clock of node %s is %,d ms %s this machine's, and of two writes of a key the"
                    .formatted(
                        address,
                        answer.node().getEndPoint(),
                        Math.abs(millis),
                        millis > 0 ? "ahead of" : "behind")
                + " one with the later time wins: synchronise the clocks, open with read_only=true,"
                + " or with a larger max_clock_difference");
      }
    }
  }

  /**
   * How far a clock is ahead of this machine's at least; negative if it is behind.
   *
   * @param asked the time before it was read, in milliseconds by this machine's clock
   * @param now what it showed
   * @param told the time after it was read, by this machine's clock
   */
  static long ahead(long asked, long now, long told) {
    return now > told ? now - told : Math.min(0, now - asked);
  }
}
