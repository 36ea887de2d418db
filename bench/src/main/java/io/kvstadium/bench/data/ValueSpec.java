package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;

/**
 * What generated values look like.
 *
 * @param form of which characters they consist
 * @param sizes how many bytes they have
 * @param compressibility the share that a compressor of the Lempel-Ziv kind can take away, from 0
 *     (random) to 0.95
 */
public record ValueSpec(Form form, SizeDistribution sizes, double compressibility) {
  /** Of which characters a value consists. */
  public enum Form {
    /** Any byte. */
    BYTES,
    /**
     * Printable ASCII: letters, digits, {@code -} and {@code _}. Each carries only 6 bits, so
     * compressors that also code entropy (deflate, zstd) win another quarter beyond the dial; those
     * that do not (LZ4, Snappy) don't.
     */
    TEXT
  }

  /** The share that real values give away, roughly; the default of the field's tools too. */
  public static final double DEFAULT_COMPRESSIBILITY = 0.5;

  public ValueSpec {
    if (!(compressibility >= 0 && compressibility <= 0.95)) {
      throw new BadArgumentException(
          "Compressibility " + compressibility + ": give a share from 0 to 0.95");
    }
  }

  /** Binary values of which a compressor can take half away. */
  public static ValueSpec bytes(SizeDistribution sizes) {
    return new ValueSpec(Form.BYTES, sizes, DEFAULT_COMPRESSIBILITY);
  }

  /** Random strings of printable characters, with no repeats in them. */
  public static ValueSpec text(SizeDistribution sizes) {
    return new ValueSpec(Form.TEXT, sizes, 0);
  }
}
