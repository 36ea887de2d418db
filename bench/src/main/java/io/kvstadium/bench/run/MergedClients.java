package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Network;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Timeline;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Rendezvous.Window;
import io.kvstadium.bench.stats.EncodedHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Merges what several clients did at once into one result. */
final class MergedClients {
  private static final int DIGITS = 3;

  private MergedClients() {}

  /**
   * @param clients their good results, with the same phases
   * @param windows of the phases that they ran together
   * @param hosts of each, if they were not here
   */
  static TrialResult of(
      List<TrialResult> clients, Map<String, Window> windows, List<String> hosts) {
    TrialResult first = clients.getFirst();
    List<PhaseResult> phases = new ArrayList<>();
    Map<String, Long> starts = new TreeMap<>();
    for (int i = 0; i < first.phases().size(); i++) {
      int number = i;
      List<PhaseResult> all = clients.stream().map(each -> each.phases().get(number)).toList();
      PhaseResult one = all.getFirst();
      Window window = windows.get(one.name());
      if (window != null) {
        starts.put(one.name(), window.startNanos());
        phases.add(phase(all, window));
      } else if (one.name().equals("create")) {
        phases.add(one); // the others found the store created
      } else {
        phases.add(all.stream().max(Comparator.comparingLong(PhaseResult::nanos)).orElseThrow());
      }
    }
    List<Long> trips =
        clients.stream()
            .map(TrialResult::network)
            .filter(Objects::nonNull)
            .flatMap(each -> each.roundTripNanos().stream())
            .toList();
    return new TrialResult(
        first.number(),
        first.seed(),
        null,
        phases,
        card(clients.stream().map(TrialResult::card).toList()),
        first.spent(),
        new Network(trips, starts, hosts));
  }

  /**
   * All operations over the time from the common start signal to the last end; of that time, only
   * the share that the clients spent in timed parts counts, because they make and check their data
   * in between.
   */
  private static PhaseResult phase(List<PhaseResult> all, Window window) {
    PhaseResult first = all.getFirst();
    double timed = sum(all, PhaseResult::nanos) / (double) Math.max(1, window.ranNanos());
    return new PhaseResult(
        first.name(),
        first.operation(),
        sum(all, PhaseResult::operations),
        Math.max(1, Math.round(window.nanos() * Math.min(1, timed))),
        (int) sum(all, PhaseResult::threads),
        sum(all, PhaseResult::entries),
        sum(all, PhaseResult::bytes),
        first.batch(),
        cost(all.stream().map(PhaseResult::cost).toList()),
        histogram(all, PhaseResult::histogram),
        pace(all),
        timeline(all.stream().map(PhaseResult::timeline).filter(Objects::nonNull).toList()),
        first.caches());
  }

  /** Whether a share of time is too large is judged by the client where it is largest. */
  private static Cost cost(List<Cost> all) {
    return new Cost(
        known(all, Cost::cpuNanos),
        most(all, Cost::gcNanos),
        known(all, Cost::allocatedBytes),
        known(all, Cost::readBytes),
        most(all, Cost::flushes),
        most(all, Cost::compileNanos));
  }

  private static <T> @Nullable String histogram(List<T> all, Function<T, @Nullable String> part) {
    List<String> texts = all.stream().map(part).filter(Objects::nonNull).toList();
    return texts.isEmpty() ? null : EncodedHistogram.of(EncodedHistogram.merge(texts, DIGITS));
  }

  /** A rate is held if each client held its part of it. */
  private static @Nullable Pace pace(List<PhaseResult> phases) {
    List<Pace> all = phases.stream().map(PhaseResult::pace).filter(Objects::nonNull).toList();
    if (all.isEmpty()) {
      return null;
    }
    Pace first = all.getFirst();
    return new Pace(
        first.rate(),
        first.arrivals(),
        all.stream().allMatch(Pace::held),
        histogram(all, Pace::response),
        histogram(all, Pace::lateness),
        first.limit(),
        List.of());
  }

  private static @Nullable Timeline timeline(List<Timeline> all) {
    if (all.isEmpty()) {
      return null;
    }
    long interval = all.stream().mapToLong(Timeline::intervalNanos).max().orElseThrow();
    int count =
        all.stream()
            .mapToInt(each -> number(each, each.operations().size() - 1, interval) + 1)
            .max()
            .orElseThrow();
    long[] operations = new long[count];
    long[] busy = new long[count];
    long[] gc = new long[count];
    Integer[] compactions = new Integer[count];
    Arrays.fill(compactions, -1);
    for (Timeline each : all) {
      long[] own = new long[count];
      for (int i = 0; i < each.operations().size(); i++) {
        int at = number(each, i, interval);
        operations[at] += each.operations().get(i);
        busy[at] += each.busyNanos().get(i);
        own[at] += each.gcNanos().get(i);
        compactions[at] = Math.max(compactions[at], each.compactions().get(i));
      }
      Arrays.setAll(gc, i -> Math.max(gc[i], own[i]));
    }
    return new Timeline(interval, list(operations), list(busy), list(gc), List.of(compactions));
  }

  /** Intervals are doubled as a phase proceeds, so that any is a multiple of any shorter one. */
  private static int number(Timeline of, int own, long interval) {
    return (int) (own * of.intervalNanos() / interval);
  }

  private static List<Long> list(long[] figures) {
    return Arrays.stream(figures).boxed().toList();
  }

  /**
   * Returns the card of the store as the first client saw it; the store was on none of their disks.
   */
  private static CostCard card(List<CostCard> all) {
    CostCard first = all.getFirst();
    List<CostCard.Memory> memory = all.stream().map(CostCard::memory).toList();
    List<CostCard.Traffic> traffic = all.stream().map(CostCard::traffic).toList();
    return new CostCard(
        first.sizes(),
        first.settling(),
        new CostCard.Memory(
            known(memory, CostCard.Memory::anonymousBytes),
            known(memory, CostCard.Memory::fileBytes),
            -1),
        new CostCard.Traffic(
            known(traffic, CostCard.Traffic::readBytes),
            most(traffic, CostCard.Traffic::writtenBytes),
            known(traffic, CostCard.Traffic::movedBytes)),
        first.kill());
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> part) {
    return all.stream().mapToLong(part).sum();
  }

  /** Returns the sum, or -1 if a part is unknown. */
  private static <T> long known(List<T> all, ToLongFunction<T> part) {
    return all.stream().anyMatch(each -> part.applyAsLong(each) < 0) ? -1 : sum(all, part);
  }

  private static <T> long most(List<T> all, ToLongFunction<T> part) {
    return all.stream().mapToLong(part).max().orElse(-1);
  }
}
