package io.kvstadium.bench.data.draw;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.util.List;

/** Parses the notations of distributions. */
final class Distributions {
  private static final List<String> NAMES =
      List.of("sequential", "shuffled", "uniform", "zipfian", "latest", "key-ranges", "only");

  private Distributions() {}

  static Distribution parse(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String argument = colon < 0 ? "" : text.substring(colon + 1);
    try {
      return switch (name) {
        case "sequential" -> plain(new Distribution.Sequential(), argument);
        case "shuffled" -> plain(new Distribution.Shuffled(), argument);
        case "uniform" -> plain(new Distribution.Uniform(), argument);
        case "zipfian" -> new Distribution.Zipfian(skew(colon < 0, argument));
        case "latest" -> new Distribution.Latest(skew(colon < 0, argument));
        case "only" -> new Distribution.Only(Long.parseLong(argument));
        case "key-ranges" ->
            new Distribution.KeyRanges(
                colon < 0 ? Distribution.KeyRanges.DEFAULT_RANGES : Integer.parseInt(argument));
        default -> {
          throw new BadArgumentException(
              "Unknown distribution '"
                  + name
                  + "'"
                  + Nearest.hint(name, NAMES)
                  + ": give one of "
                  + NAMES);
        }
      };
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          "The number in distribution '"
              + text
              + "' is not understood: write zipfian:0.99, latest:0.99, only:7 or"
              + " key-ranges:30",
          e);
    }
  }

  private static Distribution plain(Distribution distribution, String argument) {
    if (!argument.isEmpty()) {
      throw new BadArgumentException(
          "Distribution " + distribution + " takes no number: leave out ':" + argument + "'");
    }
    return distribution;
  }

  private static double skew(boolean usual, String argument) {
    return usual ? Distribution.DEFAULT_THETA : Double.parseDouble(argument);
  }
}
