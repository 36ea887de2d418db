package io.kvstadium.bench.trial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * What one client wrote in a phase, for the others: they check what they read from then on. All had
 * the same view of the store before, and have it again when each has taken over what the others
 * report.
 */
final class Changes {
  private final Population population;
  private final Generations before;
  private final long addedBefore;

  /** Starts to record. */
  Changes(Population population) {
    this.population = population;
    this.before = population.generations().copy();
    this.addedBefore = population.added();
  }

  /**
   * Returns what has changed since.
   *
   * @param loadedBytes that this client loaded, or 0
   */
  String text(long loadedBytes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeLong(loadedBytes);
      out.writeLong(Math.max(0, population.added() - addedBefore)); // a new store has none
      out.writeLong(population.frontier());
      population
          .generations()
          .eachChange(
              before,
              (key, generation) -> {
                try {
                  out.writeLong(key);
                  out.writeInt(generation);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      out.writeLong(-1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** Takes over what another client reports. */
  static void apply(String text, Population population) {
    try (DataInputStream in =
        new DataInputStream(
            new InflaterInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text))))) {
      population.others(in.readLong(), in.readLong(), in.readLong());
      for (long key = in.readLong(); key >= 0; key = in.readLong()) {
        population.generations().set(key, in.readInt());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
