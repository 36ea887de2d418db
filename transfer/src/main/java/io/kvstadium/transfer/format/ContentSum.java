package io.kvstadium.transfer.format;

import java.util.Locale;

/**
 * A sum over entries that does not depend on their order: each entry has a hash of 128 bits, and
 * these are added modulo 2<sup>128</sup>. So it can be computed while entries stream by, and two
 * sums can be added.
 *
 * <p>An entry's hash is MurmurHash3 (x64, 128 bits) of its value, seeded with the hash of its key,
 * which is seeded with that of its table's name. Each of the three ends with its length, so that no
 * byte can move from one to the next undetected. Two stores that differ have equal sums with a
 * probability of 2<sup>-128</sup>, since the difference of the sums is then spread evenly: a
 * trillion copies a second would not run into it in the age of the universe. The sum does not
 * protect against somebody who crafts entries on purpose.
 *
 * @param entries how many entries there are
 * @param bytes the total length of their keys and values
 * @param high the upper half of the sum
 * @param low the lower half
 */
public record ContentSum(long entries, long bytes, long high, long low) {
  /** The sum of no entries. */
  public static final ContentSum NONE = new ContentSum(0, 0, 0, 0);

  /** Returns the sum of the entries of both. */
  public ContentSum plus(ContentSum other) {
    long sum = low + other.low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    return new ContentSum(
        entries + other.entries, bytes + other.bytes, high + other.high + carry, sum);
  }

  /** The sum in 32 hexadecimal digits. */
  public String hex() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  /** Adds up the entries of one table; used by one thread at a time. */
  public static final class Adder {
    private final long first;
    private final long second;
    private final Murmur3 hash = new Murmur3();
    private long entries;
    private long bytes;
    private long high;
    private long low;

    /** Starts the sum of a table with this name. */
    public Adder(String table) {
      hash.begin(0, 0);
      hash.add(table.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      first = hash.first();
      second = hash.second();
    }

    /** Adds an entry. */
    public void add(byte[] key, byte[] value) {
      hash.begin(first, second);
      hash.add(key);
      hash.add(value);
      entries++;
      bytes += (long) key.length + value.length;
      low += hash.first();
      high += hash.second() + (Long.compareUnsigned(low, hash.first()) < 0 ? 1 : 0);
    }

    /** Returns the sum of what was added so far. */
    public ContentSum sum() {
      return new ContentSum(entries, bytes, high, low);
    }
  }
}
