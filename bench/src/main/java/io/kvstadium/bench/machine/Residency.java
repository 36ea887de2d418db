package io.kvstadium.bench.machine;

/**
 * How much of some files is in the page cache.
 *
 * @param bytes length of the files, in whole pages
 * @param residentBytes how many of these are in memory, or -1 if the system does not report it
 */
public record Residency(long bytes, long residentBytes) {
  /** Returns the share in memory, 0 to 1; 0 if there are no bytes, -1 if unknown. */
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
