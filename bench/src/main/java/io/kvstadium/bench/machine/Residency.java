package io.kvstadium.bench.machine;

/**
 * How much of some files is in the page cache.
 *
 * @param bytes length of the files, in whole pages
 * @param residentBytes of these in memory; or -1 if the system does not tell
 */
public record Residency(long bytes, long residentBytes) {
  /** 0 to 1; of no bytes 0; -1 if unknown. */
  public double share() {
    if (residentBytes < 0) {
      return -1;
    }
    return bytes == 0 ? 0 : (double) residentBytes / bytes;
  }

  Residency plus(Residency other) {
    return new Residency(
        bytes + other.bytes,
        residentBytes < 0 || other.residentBytes < 0 ? -1 : residentBytes + other.residentBytes);
  }
}
