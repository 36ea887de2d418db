package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What individual nodes report about themselves. */
final class EachNode {
  private EachNode() {}

  /**
   * A node's answer.
   *
   * @param row {@code null} if it has none, or does not understand the question
   * @param asked before the question was sent, in milliseconds by this machine's clock
   * @param told after the answer arrived, by the same clock
   */
  record Answer(Node node, @Nullable Row row, long asked, long told) {}

  /**
   * Asks these nodes. One to which there is no connection is left out: it is down, though that may
   * not be known yet.
   *
   * @param clock this machine's clock
   */
  static List<Answer> ask(
      CqlSession session, Predicate<Node> which, SimpleStatement question, InstantSource clock) {
    List<Answer> answers = new ArrayList<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (which.test(node)) {
        long asked = clock.millis();
        try {
          Row row = session.execute(question.setNode(node)).one();
          answers.add(new Answer(node, row, asked, clock.millis()));
        } catch (QueryValidationException _) { // an older server, another one, or a missing right
          answers.add(new Answer(node, null, asked, clock.millis()));
        } catch (AllNodesFailedException e) {
          if (!isUnconnected(e)) {
            throw e;
          }
        }
      }
    }
    return answers;
  }

  private static boolean isUnconnected(AllNodesFailedException e) {
    return e.getAllErrors().values().stream()
        .flatMap(List::stream)
        .allMatch(NodeUnavailableException.class::isInstance);
  }
}
