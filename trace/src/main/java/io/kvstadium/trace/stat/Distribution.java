package io.kvstadium.trace.stat;

/** Counts of values in buckets whose width is at most a sixteenth of the value. */
public final class Distribution {
  private static final int BITS = 4;
  private static final int SUB = 1 << BITS;

  private final double[] counts = new double[(Long.SIZE - BITS) * SUB];
  private double total;
  private double sum;
  private long max;

  void add(long value, double count) {
    long positive = Math.max(0, value);
    counts[bucket(positive)] += count;
    total += count;
    sum += count * positive;
    max = Math.max(max, positive);
  }

  /** Adds a value; a negative one is 0. */
  public void add(long value) {
    add(value, 1);
  }

  /** Multiplies all counts. */
  void scale(double factor) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] *= factor;
    }
    total *= factor;
    sum *= factor;
  }

  /** How many values there are. */
  public double total() {
    return total;
  }

  /** The mean value; 0 if there is none. */
  public double mean() {
    return total == 0 ? 0 : sum / total;
  }

  public long max() {
    return max;
  }

  /**
   * The smallest value that at least this share of all values do not exceed, or a sixteenth more.
   *
   * @param before a count of values that are smaller than all others, or, negative, of such values
   *     that are too many
   */
  long quantile(double share, double before) {
    double wanted = share * (total + before);
    double sum = before;
    for (int i = 0; i < counts.length; i++) {
      sum += counts[i];
      if (sum >= wanted && sum > before) {
        return Math.min(max, end(i));
      }
    }
    return max;
  }

  /** See {@link #quantile(double, double)}. */
  public long quantile(double share) {
    return quantile(share, 0);
  }

  private static int bucket(long value) {
    if (value < SUB) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - BITS;
    return (shift << BITS) + (int) (value >>> shift);
  }

  /** The greatest value of a bucket. */
  private static long end(int bucket) {
    if (bucket < SUB) {
      return bucket;
    }
    int shift = (bucket >> BITS) - 1;
    long first = SUB | (bucket & (SUB - 1));
    return ((first + 1) << shift) - 1;
  }
}
