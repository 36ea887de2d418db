package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that writes is killed: at {@code process} and above nothing acknowledged may be
 * missing, batches must be whole, and at most the one operation in flight may be there in addition.
 * Several kills hit the same store in turn.
 */
interface KillTests extends Staged {
  /** With a multiplier of 1, after a first one on a new store. */
  int MORE_KILLS = 2;

  int MOST_OPERATIONS_PER_LIFE = 400;

  @Test
  default void nothingAcknowledgedIsLostToAKill() throws Exception {
    Store store = openAndClose();
    List<Durability> levels = levels(store);
    Assumptions.assumeFalse(levels.isEmpty(), "it promises nothing");
    killOften(store, levels.getLast());
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"PROCESS", "CONSISTENT", "POWER"})
  default void nothingAcknowledgedIsLostToAKillAtWeakerLevels(Durability level) throws Exception {
    Store store = openAndClose();
    List<Durability> levels = levels(store);
    Assumptions.assumeTrue(
        levels.contains(level) && level != levels.getLast(),
        "refused, given by a stronger level, or its strongest");
    killOften(store, level);
  }

  private Store openAndClose() {
    Store store = stage().openWith(Capability.PERSISTENT);
    store.close();
    return store;
  }

  /** What it gives exactly, the strongest last. */
  private static List<Durability> levels(Store store) {
    Map<Durability, DurabilityMapping> mappings = store.engine().durability();
    return Stream.of(Durability.PROCESS, Durability.CONSISTENT, Durability.POWER)
        .filter(level -> {
          DurabilityMapping mapping = mappings.get(level);
          return mapping != null && mapping.effective() == level;
        })
        .toList();
  }

  private void killOften(Store store, Durability level) throws Exception {
    String url = Stage.with(stage().url("killed"), level);
    Path errors = stage().path().resolveSibling("child-errors");
    KillPlan plan =
        new KillPlan(
            Seed.get(),
            store.capabilities().contains(Capability.TABLES),
            store.capabilities().contains(Capability.BATCH));
    SplittableRandom random = new SplittableRandom(plan.seed());

    long done = 0;
    for (int kill = 0; ; kill++) {
      try (OtherProcess victim = new OtherProcess(errors)) {
        String opened = victim.ask("write " + url);
        String state = opened.equals("ok") ? victim.ask("state " + plan.arguments()) : opened;
        done = findPrefix(plan, state, done, kill);
        if (kill == 1 + Seed.times(MORE_KILLS)) {
          assertThat(victim.ask("close")).isEqualTo("ok");
          return;
        }
        int patience = 1 + random.nextInt(MOST_OPERATIONS_PER_LIFE);
        // Most kills come just when a batch is due, since that is what may be torn.
        while (plan.batches() && kill > 0 && plan.operation(done + patience).size() < 2) {
          patience++;
        }
        done = victim.killAtWork(plan, done, patience);
      }
    }
  }

  /** How many operations of the plan are there: all that were acknowledged and at most one more. */
  private static long findPrefix(KillPlan plan, String state, long acknowledged, int kills) {
    if (state.equals(plan.state(acknowledged).toString())) {
      return acknowledged;
    }
    if (kills > 0 && state.equals(plan.state(acknowledged + 1).toString())) {
      return acknowledged + 1;
    }
    throw new AssertionError(
        ("after kill %d the store does not hold the %d operations that were acknowledged, but %s;"
                + " in flight was a write of %s (%s); it holds %s")
            .formatted(
                kills,
                acknowledged,
                earlier(plan, state, acknowledged),
                plan.operation(acknowledged).stream().map(KillPlan.Change::place).toList(),
                plan,
                state));
  }

  private static String earlier(KillPlan plan, String state, long acknowledged) {
    for (long n = acknowledged - 1; n >= Math.max(0, acknowledged - 500); n--) {
      if (state.equals(plan.state(n).toString())) {
        return "the first " + n + ", so the last " + (acknowledged - n) + " are lost";
      }
    }
    return "no prefix of them: writes are lost in the middle, or a batch is torn";
  }
}
