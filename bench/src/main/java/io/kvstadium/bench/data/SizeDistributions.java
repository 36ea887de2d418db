package io.kvstadium.bench.data;

import io.kvstadium.bench.data.SizeDistribution.Histogram.Bin;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the notations of size distributions. */
final class SizeDistributions {
  static final String FROM = "from:";

  private static final String PARETO = "pareto:";
  private static final String HISTOGRAM = "histogram:";

  private static final Pattern SIMPLE =
      Pattern.compile("(\\d+)|(\\d+)\\.\\.(\\d+)|(\\d+(?:\\.\\d+)?)(?:±|\\+/?-)(\\d+(?:\\.\\d+)?)");
  private static final Pattern BIN = Pattern.compile("(\\d+)(?:\\.\\.(\\d+))?=(.+)");

  private SizeDistributions() {}

  static SizeDistribution parse(String text, String what) {
    if (text.startsWith(FROM)) {
      return observed(text.substring(FROM.length()), what);
    }
    String plain = text.replace(" ", "").replace("_", "");
    try {
      if (plain.startsWith(PARETO)) {
        return pareto(plain.substring(PARETO.length()), text, what);
      }
      if (plain.startsWith(HISTOGRAM)) {
        return histogram(plain.substring(HISTOGRAM.length()), text, what);
      }
      Matcher m = SIMPLE.matcher(plain);
      if (!m.matches()) {
        throw notUnderstood(
            text,
            what,
            "100, 0..2000, 50±5, pareto:25.45,0.2615, histogram:100=0.2,200..400=0.8 or"
                + " from:your-data");
      }
      if (m.group(1) != null) {
        return new SizeDistribution.Fixed(Integer.parseInt(m.group(1)));
      }
      if (m.group(2) != null) {
        return new SizeDistribution.Uniform(
            Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)));
      }
      return new SizeDistribution.Normal(
          Double.parseDouble(m.group(4)), Double.parseDouble(m.group(5)));
    } catch (NumberFormatException e) {
      throw new BadArgumentException(
          what
              + " '"
              + text
              + "': a number in it is invalid or above 2,147,483,646; write whole sizes, and"
              + " decimal points in weights and parameters",
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

  private static SizeDistribution histogram(String arguments, String text, String what) {
    List<Bin> bins = new ArrayList<>();
    for (String part : arguments.split(",", -1)) {
      Matcher m = BIN.matcher(part);
      if (!m.matches()) {
        throw notUnderstood(
            text,
            what,
            "each class as SIZE=WEIGHT or MIN..MAX=WEIGHT, as in"
                + " histogram:100=0.2,200..400=0.8; '"
                + part
                + "' is neither");
      }
      int min = Integer.parseInt(m.group(1));
      int max = m.group(2) == null ? min : Integer.parseInt(m.group(2));
      bins.add(new Bin(min, max, Double.parseDouble(m.group(3))));
    }
    return new SizeDistribution.Histogram(bins);
  }

  private static SizeDistribution observed(String path, String what) {
    if (path.isBlank()) {
      throw new BadArgumentException(
          what + " '" + FROM + "': the place of the data must follow; give " + Dataset.KINDS);
    }
    try {
      return new SizeDistribution.Observed(path, ObservedLengths.read(Path.of(path)));
    } catch (InvalidPathException e) {
      throw new BadArgumentException(what + " '" + FROM + path + "': that is not a valid path", e);
    } catch (BadArgumentException e) {
      throw new BadArgumentException(what + " '" + FROM + path + "': " + e.getMessage(), e);
    }
  }

  private static BadArgumentException notUnderstood(String text, String what, String hint) {
    return new BadArgumentException(what + " '" + text + "' is not understood: write " + hint);
  }
}
