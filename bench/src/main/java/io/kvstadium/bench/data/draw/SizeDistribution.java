package io.kvstadium.bench.data.draw;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** A distribution of sizes: of values and keys in bytes, or of the lengths of scans in entries. */
public sealed interface SizeDistribution {
  /** All sizes are equal. */
  record Fixed(int bytes) implements SizeDistribution {
    public Fixed {
      check(bytes >= 0, "Size " + bytes + ": give 0 or more");
    }

    @Override
    public double mean() {
      return bytes;
    }

    @Override
    public String toString() {
      return Integer.toString(bytes);
    }
  }

  /** Every size from {@code min} to {@code max}, both included, equally often. */
  record Uniform(int min, int max) implements SizeDistribution {
    public Uniform {
      check(
          min >= 0 && max >= min && max < Integer.MAX_VALUE,
          "Sizes " + min + ".." + max + ": give the smaller first, 0 or more");
    }

    @Override
    public double mean() {
      return (min + (double) max) / 2;
    }

    @Override
    public String toString() {
      return min + ".." + max;
    }
  }

  /**
   * The generalised Pareto distribution: {@code P(size > x) = (1 + k (x - theta) / sigma)^(-1/k)},
   * for k = 0 {@code exp(-(x - theta) / sigma)}. Rounded to whole numbers; larger sizes become
   * {@code max}.
   *
   * <p>Z. Cao et al., "Characterizing, modeling, and benchmarking RocksDB key-value workloads at
   * Facebook", FAST 2020, fit it to values (sigma 25.45, k 0.2615) and to lengths of scans (sigma
   * 14.236, k 2.517: a tail so heavy that the bound determines its mean).
   *
   * @param sigma scale, above 0
   * @param k shape, 0 (exponential) to 10: how heavy the tail is
   * @param theta the smallest size
   */
  record Pareto(double sigma, double k, double theta, int max) implements SizeDistribution {
    /** The largest size unless another is given: 1 MiB. */
    public static final int DEFAULT_MAX = 1 << 20;

    public Pareto {
      check(
          sigma > 0 && sigma <= Integer.MAX_VALUE && k >= 0 && k <= 10,
          "Pareto sizes of scale "
              + sigma
              + " and shape "
              + k
              + ": give a scale above 0, then a"
              + " shape of 0 to 10");
      check(
          theta >= 0 && theta <= max && max < Integer.MAX_VALUE,
          "Pareto sizes from " + theta + " to " + max + ": give 0 or more, and the smallest first");
    }

    @Override
    public double mean() {
      // The integral of P(size > x) from theta to max, on top of theta itself.
      double room = max - theta;
      if (k == 0) {
        return theta + sigma * -Math.expm1(-room / sigma);
      }
      double log = Math.log1p(k * room / sigma);
      return k == 1 ? theta + sigma * log : theta + sigma / (k - 1) * Math.expm1(log * (1 - 1 / k));
    }

    /** Returns the size exceeded with this probability, above 0 and at most 1; ignores max. */
    double exceededWith(double probability) {
      double log = -StrictMath.log(probability);
      return theta + sigma * (k == 0 ? log : StrictMath.expm1(k * log) / k);
    }

    @Override
    public String toString() {
      String tail = max == DEFAULT_MAX ? "" : "," + max;
      return "pareto:"
          + text(sigma)
          + ","
          + text(k)
          + (theta == 0 && tail.isEmpty() ? "" : "," + text(theta) + tail);
    }
  }

  /** Returns the mean size that was asked for. */
  double mean();

  /** Returns the text that {@link #parse} reads. */
  @JsonValue
  @Override
  String toString();

  /**
   * Reads {@code 100} (fixed), {@code 0..2000} (uniform) or {@code pareto:SIGMA,K[,THETA[,MAX]]}.
   *
   * @throws BadArgumentException if it is none of these
   */
  @JsonCreator
  static SizeDistribution parse(String text) {
    return parse(text, "Value size");
  }

  /**
   * Parses a distribution of something other than values.
   *
   * @param what the word for messages: {@code "Scan length"}
   */
  static SizeDistribution parse(String text, String what) {
    String plain = text.replace(" ", "").replace("_", "");
    try {
      if (plain.startsWith("pareto:")) {
        return pareto(plain.substring("pareto:".length()), text, what);
      } else if (!plain.matches("\\d+(\\.\\.\\d+)?")) {
        throw notUnderstood(text, what, "100, 0..2000 or pareto:25.45,0.2615");
      }
      String[] ends = plain.split("\\.\\.");
      int first = Integer.parseInt(ends[0]);
      return ends.length == 1 ? new Fixed(first) : new Uniform(first, Integer.parseInt(ends[1]));
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
    return new Pareto(
        Double.parseDouble(parts[0]),
        Double.parseDouble(parts[1]),
        parts.length > 2 ? Double.parseDouble(parts[2]) : 0,
        parts.length > 3 ? Integer.parseInt(parts[3]) : Pareto.DEFAULT_MAX);
  }

  private static BadArgumentException notUnderstood(String text, String what, String hint) {
    return new BadArgumentException(what + " '" + text + "' is not understood: write " + hint);
  }

  /**
   * The size that 64 random bits pick.
   *
   * @param id random bits that are used elsewhere too, so they are mixed once more
   */
  default int pick(long id) {
    return switch (this) {
      case Fixed fixed -> fixed.bytes();
      case Uniform(int min, int max) ->
          min + (int) Mixing.reduce(Mixing.mix(id + 1), max - min + 1L);
      case Pareto pareto -> {
        // above 0 and at most 1
        double probability = ((Mixing.mix(id + 1) >>> 11) + 1) * 0x1p-53;
        yield (int) Math.min(pareto.max(), Math.round(pareto.exceededWith(probability)));
      }
    };
  }

  /**
   * Returns an endless stream of sizes for one thread, none below 1: for example, how many entries
   * each scan takes.
   *
   * @param draws seed for the stream: different in each phase; each lane derives its own from it
   */
  default IntSupplier counts(long draws, Lane lane) {
    SplittableRandom random = new SplittableRandom(Seeds.derive(draws, lane.number()));
    return () -> Math.max(1, pick(random.nextLong()));
  }

  /** Writes a number as briefly as possible. */
  private static String text(double number) {
    return number == (long) number ? Long.toString((long) number) : Double.toString(number);
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new BadArgumentException(message);
    }
  }
}
