package io.kvstadium.cluster;

import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Waits for starting nodes, for a limited time in total. */
final class Awaited {
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int PAUSE_MILLIS = 200;
  private static final int LAST_LINES = 2;

  private final List<Node> all;
  private final long begin = System.nanoTime();

  /**
   * @param all all nodes of the cluster
   */
  Awaited(List<Node> all) {
    this.all = all;
  }

  /** Waits until each of the given nodes answers. */
  void answers(List<Node> which, Consumer<Node> seen) throws IOException, InterruptedException {
    until(which, Node::answers, seen, "do not answer");
  }

  /** Waits until all nodes know that all are up. */
  void knowEachOther() throws IOException, InterruptedException {
    until(
        all,
        node -> {
          View view = View.of(node);
          return view != null && view.complete(all);
        },
        _ -> {},
        "do not see all others");
  }

  private void until(List<Node> which, Predicate<Node> done, Consumer<Node> seen, String undone)
      throws IOException, InterruptedException {
    List<Node> missing = new ArrayList<>(which);
    while (true) {
      for (Node node : List.copyOf(missing)) {
        if (done.test(node)) {
          missing.remove(node);
          seen.accept(node);
        } else if (node.process() == null) {
          throw new StoreIoException("node " + node.number() + " ended: " + last(node));
        }
      }
      if (missing.isEmpty()) {
        return;
      }
      if (System.nanoTime() - begin > LONGEST.toNanos()) {
        throw new StoreIoException(
            "after %d s the nodes %s %s: see %s"
                .formatted(
                    LONGEST.toSeconds(),
                    missing.stream().map(Node::number).toList(),
                    undone,
                    missing.getFirst().log()));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** The end of its log, from the last error on. */
  private static String last(Node node) throws IOException {
    for (Path file : List.of(node.log(), node.output())) {
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      int error = lines.size() - 1;
      while (error > 0 && !lines.get(error).contains(" ERROR ")) {
        error--;
      }
      if (!lines.isEmpty()) {
        List<String> some = lines.subList(error, Math.min(lines.size(), error + LAST_LINES));
        return String.join(" / ", some) + "; see " + file;
      }
    }
    return "it said nothing; see " + node.directory();
  }
}
