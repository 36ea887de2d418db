package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads from the right generation: the store's current one, or a snapshot's. */
abstract class GenerationReader implements EngineReader<SparkeyTable> {
  private static final byte[] PRESENT = {};

  final Layout layout;

  GenerationReader(Layout layout) {
    this.layout = layout;
  }

  /** The table's generation, or {@code null} if the table must not be seen. */
  abstract @Nullable Generation generation(SparkeyTable table);

  @Override
  public byte @Nullable [] get(SparkeyTable table, byte[] key) {
    return find(table, key, true);
  }

  @Override
  public boolean contains(SparkeyTable table, byte[] key) {
    return find(table, key, false) != null;
  }

  private byte @Nullable [] find(SparkeyTable table, byte[] key, boolean withValue) {
    while (true) {
      Generation generation = generation(table);
      if (generation == null) {
        return null;
      }
      PooledReader reader = generation.take();
      if (reader == null) {
        continue; // a load came between the two lines above
      }
      boolean sound = false; // after an error a reader may take the wrong block for the right one
      try {
        SparkeyReader sparkey = reader.open(generation.base());
        byte[] value;
        if (withValue && !generation.isCompressed()) {
          value = sparkey.getAsByteArray(key);
        } else {
          SparkeyReader.Entry entry = sparkey.getAsEntry(key);
          value = entry == null ? null : withValue ? inPieces(entry, generation.piece()) : PRESENT;
        }
        sound = true;
        return value;
      } catch (IOException | RuntimeException | InternalError e) { // the last: a file cut short
        throw new DamageException(generation.base(), e);
      } finally {
        if (!sound) {
          reader.close();
        }
        reader.giveBack();
      }
    }
  }

  private static byte[] inPieces(SparkeyReader.Entry entry, int piece) throws IOException {
    byte[] value = new byte[Math.toIntExact(entry.getValueLength())];
    InputStream stream = entry.getValueAsStream();
    int read = 0;
    while (read < value.length) {
      int count = stream.read(value, read, Math.min(piece, value.length - read));
      if (count <= 0) {
        throw new EOFException("a value is cut short");
      }
      read += count;
    }
    return value;
  }

  @Override
  public EngineCursor cursor(SparkeyTable table, Range<byte[]> range) throws Exception {
    while (true) {
      Generation generation = generation(table);
      if (generation == null) {
        return EngineCursor.empty();
      }
      if (generation.pin()) {
        return new SparkeyCursor(generation, () -> unpin(generation));
      }
    }
  }

  /** Gives a pin back, and removes the files if it was the last one. */
  final void unpin(Generation generation) throws IOException {
    if (generation.unpin()) {
      layout.removePair(generation.base());
    }
  }
}
