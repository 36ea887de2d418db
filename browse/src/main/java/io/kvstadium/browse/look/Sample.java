package io.kvstadium.browse.look;

import io.kvstadium.browse.look.Listing.Found;
import io.kvstadium.browse.look.Listing.Head;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a range, each standing for as many as its weight says. The range is cut into
 * equal parts (of {@link Alphabet}'s numbers); in each, a run of entries is read from a random
 * place, and the distance that it covers says how dense the entries are there. That is an estimate
 * of the right order: where entries come in lumps, it may be twice what is there.
 *
 * @param entries what was read
 * @param count how many entries the range has, about
 * @param exact whether all were read
 */
public record Sample(List<Weighted> entries, double count, boolean exact) {
  /** How many entries are read in a row. */
  private static final int RUN = 9;

  /** So many beginnings are sampled apart, and theirs again, so often. */
  private static final int FEW = 4;

  private static final int DEEPEST = 4;

  /** How many positions of a key are learned of on purpose. */
  private static final int DEPTH = 12;

  /** An entry, and how many it stands for. */
  public record Weighted(Found entry, double weight) {}

  /** The sum of what these entries have, for all. */
  public double bytes() {
    return entries.stream()
        .mapToDouble(each -> each.weight * (each.entry.key().length + each.entry.value().length()))
        .sum();
  }

  /** The same entries, with the number of all known from elsewhere. */
  public Sample scaled(double known) {
    if (exact || count <= 0 || known <= 0) {
      return this;
    }
    double factor = known / count;
    return new Sample(
        entries.stream().map(each -> new Weighted(each.entry, each.weight * factor)).toList(),
        known,
        false);
  }

  /**
   * Reads a sample.
   *
   * @param size about how many entries are read
   * @param deadline of {@link System#nanoTime}; what was read by then is the sample
   * @param values whether values are wanted; otherwise their lengths are 0
   */
  public static Sample of(
      TableReader<byte[], byte[]> table,
      Range<byte[]> range,
      int size,
      long deadline,
      boolean values) {
    Range<byte[]> read = values ? range : range.keysOnly();
    List<Found> first = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(read)) {
      boolean more = cursor.next();
      while (more
          && first.size() < size / 2
          && (first.size() < 16 || System.nanoTime() < deadline)) {
        first.add(found(cursor, values));
        more = cursor.next();
      }
      if (!more) {
        return new Sample(
            first.stream().map(each -> new Weighted(each, 1)).toList(), first.size(), true);
      }
      var last = table.last(range.keysOnly());
      if (last == null) {
        return new Sample(List.of(), first.size(), false);
      }
      List<Weighted> entries = new ArrayList<>();
      double count =
          part(
              table,
              cursor,
              first.getFirst().key(),
              last.key(),
              size / 2,
              DEEPEST,
              deadline,
              values,
              entries);
      return new Sample(entries, count, false);
    }
  }

  /** Samples the keys between two; apart, where they begin differently in a few ways only. */
  private static double part(
      TableReader<byte[], byte[]> table,
      Cursor<byte[], byte[]> cursor,
      byte[] first,
      byte[] last,
      int size,
      int deeper,
      long deadline,
      boolean values,
      List<Weighted> into) {
    Alphabet alphabet = new Alphabet(first, last);
    List<byte[]> starts = new ArrayList<>(List.of(first));
    byte[] next = after(first, alphabet.skipped());
    while (next != null && starts.size() <= FEW && cursor.seek(next)) {
      if (Arrays.compareUnsigned(cursor.key(), last) > 0) {
        break;
      }
      starts.add(cursor.key());
      next = after(cursor.key(), alphabet.skipped());
    }
    if (starts.size() < 2 || starts.size() > FEW || deeper == 0) {
      starts.forEach(alphabet::learn);
      return runs(cursor, alphabet, first, last, size, deadline, values, into);
    }
    double count = 0;
    for (int i = 0; i < starts.size(); i++) {
      byte[] start = starts.get(i);
      byte[] end = i + 1 < starts.size() ? lastBefore(table, start, starts.get(i + 1)) : last;
      count +=
          part(table, cursor, start, end, size / starts.size(), deeper - 1, deadline, values, into);
    }
    return count;
  }

  /** The least key that begins otherwise, at this position at the latest. */
  private static byte @Nullable [] after(byte[] key, int position) {
    return position >= key.length
        ? Arrays.copyOf(key, key.length + 1)
        : Range.prefix(Arrays.copyOf(key, position + 1)).to();
  }

  /** Where a group ends: what no key has would take room in its alphabet. */
  private static byte[] lastBefore(TableReader<byte[], byte[]> table, byte[] start, byte[] next) {
    var last = table.last(Range.between(start, next).keysOnly());
    return last == null ? start : last.key();
  }

  private static double runs(
      Cursor<byte[], byte[]> cursor,
      Alphabet alphabet,
      byte[] first,
      byte[] last,
      int size,
      long deadline,
      boolean values,
      List<Weighted> into) {
    SplittableRandom random = new SplittableRandom(1); // the same sample at each look
    int parts = Math.max(8, size / RUN);
    learn(cursor, alphabet, Math.max(48, parts / 8), random, deadline);
    alphabet.complete();
    double begin = alphabet.position(first);
    double end = Math.max(begin + 1e-15, alphabet.position(last));
    double width = (end - begin) / parts;
    List<Weighted> read = new ArrayList<>();
    double count = 0;
    int done = 0;
    for (int part : random.ints(0, parts).distinct().limit(parts).toArray()) {
      if (done > 0 && System.nanoTime() > deadline) {
        break; // what was read by then is spread evenly
      }
      done++;
      byte[] start = alphabet.key(begin + (part + random.nextDouble()) * width);
      List<Found> met = new ArrayList<>();
      try {
        boolean more = cursor.seek(start);
        while (more && met.size() < RUN && Arrays.compareUnsigned(cursor.key(), last) <= 0) {
          met.add(found(cursor, values));
          more = met.size() < RUN && cursor.next();
        }
      } catch (CorruptException e) {
        done--; // what is damaged is taken to be like the rest
        continue;
      }
      double reached = end;
      if (met.size() == RUN) {
        reached = alphabet.position(met.removeLast().key()); // it is where the distance ends
      }
      double weight = width / Math.max(width / 1e6, reached - alphabet.position(start));
      met.forEach(each -> read.add(new Weighted(each, weight)));
      count += weight * met.size();
    }
    double rest = (double) parts / Math.max(1, done);
    read.forEach(each -> into.add(new Weighted(each.entry, each.weight * rest)));
    return count * rest;
  }

  /**
   * Learns which bytes occur where: at each position of some random keys, the next byte that occurs
   * after the same beginning.
   */
  private static void learn(
      Cursor<byte[], byte[]> cursor,
      Alphabet alphabet,
      int keys,
      SplittableRandom random,
      long deadline) {
    for (int i = 0; i < keys && (i < 4 || System.nanoTime() < deadline); i++) {
      try {
        if (!cursor.seek(alphabet.key(random.nextDouble()))) {
          continue;
        }
        byte[] key = cursor.key();
        alphabet.learn(key);
        for (int at = alphabet.skipped();
            at < Math.min(key.length, alphabet.skipped() + DEPTH);
            at++) {
          byte[] next = Range.prefix(Arrays.copyOf(key, at + 1)).to();
          if (next != null && cursor.seek(next)) {
            alphabet.learn(cursor.key());
          }
        }
      } catch (CorruptException e) {
        // the other keys tell enough
      }
    }
  }

  private static Found found(Cursor<byte[], byte[]> cursor, boolean values) {
    return new Found(
        cursor.key(),
        values ? cursor.value(value -> Head.of(value, Listing.HEAD)) : new Head(new byte[0], 0));
  }
}
