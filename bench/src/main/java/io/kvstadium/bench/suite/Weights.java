package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much each phase counts in the overall verdict: {@code read=3,scan 100=1}. */
public final class Weights {
  /** Names may hold commas and equals signs. */
  private static final Pattern ONE = Pattern.compile("\\s*(.+?)\\s*=\\s*([^=,\\s]+)\\s*(?:,|$)");

  private Weights() {}

  /**
   * Returns the suite with weights in each of its experiments.
   *
   * @throws BadArgumentException if the text has none, or names a phase that no experiment has
   */
  public static Suite in(Suite suite, String text) {
    Map<String, Double> weights = parse(suite.experiments(), text);
    return suite.withExperiments(
        suite.experiments().stream()
            .map(each -> each.withAim(each.aim().withWeights(weights)))
            .toList());
  }

  /**
   * Returns the weights of phases that a text gives.
   *
   * @throws BadArgumentException if it has none, or names a phase that no experiment has
   */
  public static Map<String, Double> parse(List<Experiment> experiments, String text) {
    Set<String> phases = new LinkedHashSet<>();
    experiments.forEach(each -> each.allPhases().forEach(phase -> phases.add(phase.name())));
    Map<String, Double> weights = new LinkedHashMap<>();
    Matcher rest = ONE.matcher(text);
    do {
      if (!rest.lookingAt()) {
        throw wrong(text, "give phases and numbers, such as \"read=3,scan 100=1\"");
      }
      String phase = rest.group(1);
      if (!phases.contains(phase)) {
        String hint = Nearest.hint(phase, phases);
        throw wrong(
            text,
            "there is no phase '%s'%s; there are: %s"
                .formatted(phase, hint, String.join(", ", phases)));
      }
      if (weights.put(phase, weight(text, rest.group(2))) != null) {
        throw wrong(text, phase + " is given twice: give it one weight");
      }
      rest.region(rest.end(), text.length());
    } while (rest.regionStart() < text.length());
    weights.values().removeIf(weight -> weight == 0);
    if (weights.isEmpty()) {
      throw wrong(text, "give at least one phase a weight above 0");
    }
    return weights;
  }

  private static double weight(String text, String number) {
    try {
      double weight = Double.parseDouble(number);
      if (weight >= 0 && weight <= 1e9) {
        return weight;
      }
    } catch (NumberFormatException e) {
      throw new BadArgumentException(message(text, number + " is not a number"), e);
    }
    throw wrong(text, number + " is not a weight: give a number from 0 to 1000000000");
  }

  private static BadArgumentException wrong(String text, String what) {
    return new BadArgumentException(message(text, what));
  }

  private static String message(String text, String what) {
    return "--weights '" + text + "': " + what;
  }
}
