package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Arrivals;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.bench.data.draw.Sizes;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Prints what keys, values and indexes cost to make: the harness must not cost more than what it
 * measures. Run by hand. Figures are the processor time of a plain loop, the median of seven
 * rounds.
 */
final class DataBenchmark {
  private static final int OPERATIONS = 5_000_000;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final String PARETO = "pareto:25.45,0.2615";
  private static final String SCANS = "pareto:14.236,2.517,0,10000";

  private DataBenchmark() {}

  public static void main(String[] args) {
    for (String form :
        new String[] {
          "uint64",
          "digits:8",
          "random-bytes:16",
          "random-bytes:16..20",
          "random-string:16",
          "random-string:20",
          "random-string:16..20"
        }) {
      var keys = new Keys(KeySpec.parse(form), 10_000_000, 1);
      byte[] into = new byte[keys.length()];
      time("key " + form + ", reused", i -> write(keys, i, into));
      time("key " + form + ", fresh", i -> keys.key(i)[0]);
    }
    for (String size : new String[] {"100", "0..200", PARETO, SCANS}) {
      Sizes sizes = new Sizes(SizeDistribution.parse(size));
      time("size " + size, i -> sizes.pick(i * GOLDEN));
    }
    for (String size : new String[] {"10", "100", "0..200", PARETO, "1000", "1024"}) {
      values("value bytes " + size, new Values(ValueSpec.bytes(SizeDistribution.parse(size)), 1));
    }
    values("value text 1000", new Values(ValueSpec.text(new SizeDistribution.Fixed(1000)), 1));
    for (String law :
        new String[] {
          "sequential", "shuffled", "uniform", "zipfian:0.99", "zipfian:1.2", "latest", "key-ranges"
        }) {
      Indexes indexes = Distribution.parse(law).over(10_000_000, 1, 2);
      time("index " + law, _ -> indexes.next());
    }
    for (String law : new String[] {"uniform", "zipfian:0.99", "latest"}) {
      for (long room : new long[] {10_500_000, 20_000_000}) {
        long[] n = {10_000_000};
        Indexes indexes =
            Distribution.parse(law)
                .over(() -> n[0] = Math.min(n[0] + 3, room), room, 1, 2, Lane.ONLY);
        time("index " + law + ", growing to " + room, _ -> indexes.next());
      }
    }
    for (Arrivals.Law law : Arrivals.Law.values()) {
      var arrivals = new Arrivals(law, 100_000, 1, Lane.ONLY);
      time("arrival " + law.text(), _ -> arrivals.next());
    }
  }

  private static void values(String name, Values values) {
    byte[][] reuse = {new byte[0]};
    time(
        name + ", reused",
        i -> {
          byte[] value = values.value(i, 0, reuse[0]);
          reuse[0] = value;
          return value.length;
        });
    time(name + ", fresh", i -> values.value(i, 0).length);
    byte[][] some = new byte[1024][];
    MemorySegment[] lent = new MemorySegment[1024];
    for (int i = 0; i < some.length; i++) {
      some[i] = values.value(i, 0);
      lent[i] = MemorySegment.ofArray(some[i]).asReadOnly();
    }
    time(name + ", matches", i -> values.matches(i & 1023, 0, some[(int) i & 1023]) ? 1 : 0);
    time(name + ", matches lent", i -> values.matches(i & 1023, 0, lent[(int) i & 1023]) ? 1 : 0);
  }

  private static long write(Keys keys, long i, byte[] into) {
    keys.key(i, into);
    return into[0];
  }

  private static void time(String name, LongUnaryOperator operation) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] rounds = new double[7];
    long sum = 0;
    for (int round = 0; round < rounds.length; round++) {
      long start = threads.getCurrentThreadCpuTime();
      for (long i = 0; i < OPERATIONS; i++) {
        sum += operation.applyAsLong(i);
      }
      rounds[round] = (threads.getCurrentThreadCpuTime() - start) / (double) OPERATIONS;
    }
    Arrays.sort(rounds);
    System.out.printf("%-44s %7.1f ns  (check %d)%n", name, rounds[3], sum);
  }
}
