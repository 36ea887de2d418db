package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The answer for a reader who uses one of the engines today: what it does, what others would bring,
 * what would be lost, and how to change. Staying is an answer, too.
 */
public final class CurrentEngine {
  /** How many engines to change to are described. */
  private static final int NAMED = 2;

  private final Aim.Current current;
  private final ComparisonGroup group;
  private final ConfigurationResult now;
  private final String version;

  private CurrentEngine(
      Aim.Current current, ComparisonGroup group, ConfigurationResult now, String version) {
    this.current = current;
    this.group = group;
    this.now = now;
    this.version = version;
  }

  /** The sentences; none if no engine is named, or it has no place in the group. */
  public static List<String> of(ExperimentReport section, ComparisonGroup group) {
    Aim.Current current = section.experiment().plan().aim().current();
    if (current == null) {
      return List.of();
    }
    return group.ran().stream()
        .filter(each -> each.plan().engine().equals(current.engine()))
        .filter(each -> group.order().contains(each.name()))
        .findFirst()
        .map(now -> new CurrentEngine(current, group, now, section.stadium()).sentences())
        .orElse(List.of());
  }

  private List<String> sentences() {
    List<ConfigurationResult> others =
        group.ran().stream()
            .filter(each -> !each.plan().engine().equals(current.engine()))
            .filter(each -> group.order().contains(each.name()))
            .toList();
    List<EngineChange> changes =
        others.stream().map(each -> new EngineChange(group, now, each)).toList();
    List<EngineChange> better =
        changes.stream()
            .filter(each -> each.whole() instanceof Verdict.Faster)
            .sorted(Comparator.comparingDouble(each -> each.whole().slowness()))
            .limit(NAMED)
            .toList();
    List<String> sentences = new ArrayList<>();
    sentences.add("You use " + now.name() + " today: " + figures() + ".");
    if (better.isEmpty()) {
      List<String> open =
          changes.stream()
              .filter(each -> group.whole().of(each.other().name()) != null) // else nothing tells
              .filter(each -> each.whole().mayBeFaster())
              .map(each -> each.other().name())
              .toList();
      sentences.add(
          others.isEmpty()
              ? "Nothing else was measured to compare it with."
              : open.isEmpty()
                  ? "Stay where you are: no engine is faster overall."
                  : "Not decided yet: %s may be faster overall. More trials tell."
                      .formatted(String.join(", ", open)));
      return sentences;
    }
    better.forEach(
        each -> sentences.add("%s instead: %s.".formatted(each.other().name(), each.gain())));
    ConfigurationResult best = better.getFirst().other();
    List<String> lost = better.getFirst().lost();
    if (!lost.isEmpty()) {
      sentences.add(
          "With %s you would lose: %s.".formatted(best.plan().engine(), String.join(", ", lost)));
    }
    sentences.add(
        "%s: %s %s: %s"
            .formatted(
                now.plan().engine(), now.description(), best.plan().engine(), best.description()));
    String url = best.plan().engine() + ":data/app?durability=" + best.effective().word();
    String move =
        current.store() == null
            ? "copy '" + current.engine() + ":your-store?adopt=true'"
            : "import " + current.store();
    sentences.add(
        "Open %s with io.kvstadium:kv-stadium-engine-%s:%s; move with: ./stadium %s '%s'"
            .formatted(url, best.plan().engine(), version, move, url));
    return sentences;
  }

  private String figures() {
    List<String> figures = new ArrayList<>();
    for (Ranking ranking : group.columns()) {
      if (ranking instanceof PhaseRanking phase && phase.of(now.name()) != null) {
        Standing own = Objects.requireNonNull(phase.of(now.name()));
        String p99 = Figures.P99.text(own.samples());
        String tail = p99.equals(Units.MISSING) ? "" : " (p99 " + p99 + ")";
        figures.add(phase.phase() + " " + own.text() + tail);
      }
    }
    return String.join(", ", figures);
  }
}
