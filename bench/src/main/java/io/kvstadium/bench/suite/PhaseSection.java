package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.bench.suite.Operation.Trait;
import io.kvstadium.store.Durability;
import io.kvstadium.store.internal.Nearest;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code [[experiment.phase]]}. */
final class PhaseSection {
  private static final double SHARES_TOLERANCE = 1e-6;

  /** All but replays, which are made of a trace, not of a file. */
  private static final List<Operation> OPERATIONS =
      Stream.of(Operation.values()).filter(each -> each != Operation.REPLAY).toList();

  private static final List<String> WORDS = OPERATIONS.stream().map(Operation::word).toList();

  private static final List<String> LEVELS = List.of("none", "process", "consistent", "power");

  private PhaseSection() {}

  static PhaseSpec read(Section section) {
    PhaseSpec spec = common(section);
    Section backgroundSection = section.table("background");
    PhaseSpec background = backgroundSection == null ? null : background(backgroundSection, spec);
    section.refuseOthers();
    refuseMeaningless(section, spec);
    return spec.withBackground(background);
  }

  private static PhaseSpec common(Section section) {
    Operation operation = operation(section);
    String name = section.text("name", operation.word());
    return PhaseSpec.of(name == null ? operation.word() : name, operation)
        .with(phase -> {
          phase.operations = section.whole("operations", 0, 0);
          phase.seconds = section.number("seconds", 0, 0, 1e9);
          phase.threads = section.small("threads", 1, 1);
          phase.shape =
              new Shape(
                  section.small("batch", 1, 1),
                  section.small("keys", 1, 1),
                  section.small("parallelism", 1, 1),
                  section.parsed(
                      "scan_length", "100", law -> SizeDistribution.parse(law, "Scan length")),
                  mix(section, operation));
          phase.distribution = section.parsed("distribution", "uniform", Distribution::parse);
          phase.rate = rate(section);
          phase.cold = section.flag("cold");
          phase.durability = durability(section, operation);
        });
  }

  private static @Nullable Durability durability(Section section, Operation operation) {
    if (section.text("durability", null) == null) {
      return null;
    }
    String level = section.word("durability", "", LEVELS);
    if (!operation.is(Trait.BATCHES)) {
      throw section.wrong("durability", "nothing for the operation " + operation.word());
    }
    return Durability.of(level);
  }

  private static Operation operation(Section section) {
    String word = section.word("operation", "", WORDS);
    return OPERATIONS.get(WORDS.indexOf(word));
  }

  private static @Nullable Rate rate(Section section) {
    String rate = section.textOrNumber("rate", "");
    String limit = section.text("limit", "");
    if (rate.isEmpty()) {
      if (limit != null && !limit.isEmpty()) {
        throw section.wrong("limit", "nothing where there is no rate: add rate = \"search\"");
      }
      return null;
    }
    return section.check(
        () -> Rate.parse(rate, limit == null || limit.isEmpty() ? null : Rate.Limit.parse(limit)));
  }

  private static Map<Operation, Double> mix(Section section, Operation operation) {
    Map<Operation, Double> mix = new EnumMap<>(Operation.class);
    double sum = 0;
    for (Map.Entry<String, Double> share : section.shares("mix").entrySet()) {
      int number = WORDS.indexOf(share.getKey());
      if (number < 0 || !OPERATIONS.get(number).is(Trait.MIXES)) {
        List<String> words =
            OPERATIONS.stream().filter(each -> each.is(Trait.MIXES)).map(Operation::word).toList();
        throw section.wrong(
            "mix",
            "shares of "
                + String.join(", ", words)
                + "; '"
                + share.getKey()
                + "' is not one of them"
                + Nearest.hint(share.getKey(), words));
      }
      mix.put(OPERATIONS.get(number), share.getValue());
      sum += share.getValue();
    }
    if (operation == Operation.MIXED && Math.abs(sum - 1) > SHARES_TOLERANCE) {
      throw section.wrong("mix", "shares that add up to 1, such as { get = 0.95, update = 0.05 }");
    }
    if (operation != Operation.MIXED && !mix.isEmpty()) {
      throw section.wrong("mix", "nothing for the operation " + operation.word());
    }
    return mix;
  }

  private static PhaseSpec background(Section section, PhaseSpec main) {
    PhaseSpec spec = common(section);
    section.refuseOthers();
    refuseMeaningless(section, spec);
    Operation operation = spec.operation();
    if (spec.operations() > 0 || spec.seconds() > 0 || spec.cold()) {
      throw section.error(
          "a background load ends with its phase: leave out operations, seconds and cold");
    }
    if (!operation.is(Trait.BACKGROUND)) {
      throw section.wrong(
          "operation", "get, multi-get, scan, update or read-modify-write as background load");
    }
    if (main.involves(Operation.DELETE)) {
      throw section.error("a phase that deletes has no background load: leave it out");
    }
    if (spec.writes() && main.writes()) {
      throw section.error("only one of a phase and its background load may write");
    }
    boolean checkable = main.operation().is(Trait.BESIDE_WRITES) || !spec.writes();
    if (!checkable || main.operation().whole() || main.operation().is(Trait.OPENS)) {
      throw section.error(
          "there is no background load for the operation "
              + main.operation().word()
              + ": use get, multi-get or scan there");
    }
    Rate rate = spec.rate();
    if (rate != null && rate.searches()) {
      throw section.wrong("rate", "operations per second for a background load");
    }
    return spec;
  }

  /** Refuses what would be silently ignored, or leave fewer entries than later phases expect. */
  private static void refuseMeaningless(Section section, PhaseSpec spec) {
    Operation operation = spec.operation();
    Shape shape = spec.shape();
    String whose = " for the operation " + operation.word();
    if (operation.whole()) {
      if (spec.operations() != 0) {
        throw section.wrong("operations", "0" + whose + ", which takes every entry once");
      }
      if (spec.seconds() != 0) {
        throw section.wrong("seconds", "0" + whose + ", which takes every entry once");
      }
      if (spec.rate() != null) {
        throw section.wrong("rate", "nothing" + whose);
      }
    }
    Rate rate = spec.rate();
    if (rate != null && rate.searches() && spec.involves(Operation.DELETE)) {
      throw section.wrong("rate", "no search where keys are deleted, each once");
    }
    boolean alone = operation.whole() || operation.is(Trait.OPENS);
    if (alone && spec.threads() > 1) {
      throw section.wrong("threads", "1" + whose);
    }
    boolean batches = operation.is(Trait.BATCHES);
    if (shape.batch() > 1 && (!batches || spec.rate() != null)) {
      throw section.wrong("batch", "1" + (batches ? " at a fixed rate" : whose));
    }
    boolean multi =
        operation == Operation.MULTI_GET || shape.mix().containsKey(Operation.MULTI_GET);
    if (!multi && (shape.keys() > 1 || shape.parallelism() > 1)) {
      throw section.wrong(shape.keys() > 1 ? "keys" : "parallelism", "1" + whose);
    }
    if (spec.cold() && (operation.loads() || operation.is(Trait.OPENS))) {
      throw section.wrong("cold", "false" + whose);
    }
  }
}
