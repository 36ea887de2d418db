package io.kvstadium.bench.data.draw;

import io.kvstadium.store.BadArgumentException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the notations of size distributions. */
final class SizeDistributions {
  private static final String PARETO = "pareto:";

  private static final Pattern SIMPLE = Pattern.compile("(\\d+)(?:\\.\\.(\\d+))?");

  private SizeDistributions() {}

  static SizeDistribution parse(String text, String what) {
    String plain = text.replace(" ", "").replace("_", "");
    try {
      if (plain.startsWith(PARETO)) {
        return pareto(plain.substring(PARETO.length()), text, what);
      }
      Matcher m = SIMPLE.matcher(plain);
      if (!m.matches()) {
        throw notUnderstood(text, what, "100, 0..2000 or pareto:25.45,0.2615");
      }
      int first = Integer.parseInt(m.group(1));
      return m.group(2) == null
          ? new SizeDistribution.Fixed(first)
          : new SizeDistribution.Uniform(first, Integer.parseInt(m.group(2)));
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          what
              + " '"
              + text
              + "': a number in it is invalid or above 2,147,483,646; write whole sizes, and"
              + " decimal points in parameters",
          e);
    }
  }

  private static SizeDistribution pareto(String arguments, String text, String what) {
    String[] parts = arguments.split(",", -1);
    if (parts.length < 2 || parts.length > 4) {
      throw notUnderstood(
          text,
          what,
          "pareto:SIGMA,K or pareto:SIGMA,K,THETA or pareto:SIGMA,K,THETA,MAX, as in"
              + " pareto:25.45,0.2615");
    }
    return new SizeDistribution.Pareto(
        Double.parseDouble(parts[0]),
        Double.parseDouble(parts[1]),
        parts.length > 2 ? Double.parseDouble(parts[2]) : 0,
        parts.length > 3 ? Integer.parseInt(parts[3]) : SizeDistribution.Pareto.DEFAULT_MAX);
  }

  private static BadArgumentException notUnderstood(String text, String what, String hint) {
    return new BadArgumentException(what + " '" + text + "' is not understood: write " + hint);
  }
}
