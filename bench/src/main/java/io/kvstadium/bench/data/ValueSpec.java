package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;

/**
 * What generated values look like.
 *
 * @param form the characters they consist of
 * @param sizes their sizes in bytes
 * @param compressibility the share that a Lempel-Ziv compressor can remove, from 0 (random) to 0.95
 */
public record ValueSpec(Form form, SizeDistribution sizes, double compressibility) {
  /** The characters that a value consists of. */
  public enum Form {
    /** Any byte. */
    BYTES,
    /**
     * Printable ASCII: letters, digits, {@code -} and {@code _}. Each carries only 6 bits, so
     * compressors with entropy coding (deflate, zstd) save another quarter beyond the set share;
     * those without it (LZ4, Snappy) do not.
     */
    TEXT
  }

  /** Roughly the compressible share of real values; also the default of similar tools. */
  public static final double DEFAULT_COMPRESSIBILITY = 0.5;

  public ValueSpec {
    if (!(compressibility >= 0 && compressibility <= 0.95)) {
      throw new BadArgumentException(
          "Compressibility " + compressibility + ": give a share from 0 to 0.95");
    }
  }

  /** Returns binary values of which a compressor can remove half. */
  public static ValueSpec bytes(SizeDistribution sizes) {
    return new ValueSpec(Form.BYTES, sizes, DEFAULT_COMPRESSIBILITY);
  }
}
