package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import com.spotify.sparkey.SparkeyWriter;
import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Durability;
import io.kvstadium.store.spi.StoreConfig;
import java.io.File;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sparkey by hand, with its reader for a single thread. Writes go to the log. The first read after
 * them builds the index, since Sparkey finds nothing before that, and makes them durable.
 */
public final class RawSparkey implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    return new RawHandle(config);
  }

  private static final class RawHandle implements Handle {
    private final File base;
    private final StoreConfig config;
    private @Nullable SparkeyWriter writer;
    private @Nullable SparkeyReader reader;

    RawHandle(StoreConfig config) {
      this.base = config.directory().resolve("raw").toFile();
      this.config = config;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
      return (reader == null ? reader() : reader).getAsByteArray(key);
    }

    @Override
    public void put(byte[] key, byte[] value) throws IOException {
      writer().put(key, value);
    }

    @Override
    public void delete(byte[] key) throws IOException {
      writer().delete(key);
    }

    private SparkeyWriter writer() throws IOException {
      if (writer == null) {
        close();
        CompressionType compression =
            CompressionType.valueOf(config.options().text("compression").toUpperCase(Locale.ROOT));
        writer =
            Sparkey.appendOrCreate(base, compression, SparkeyEngine.blockSize(config.options()));
        writer.setFsync(config.durability() == Durability.POWER);
      }
      return writer;
    }

    private SparkeyReader reader() throws IOException {
      if (writer != null || !Layout.index(base).toFile().exists()) {
        writer().writeHash();
        close();
      }
      reader = Sparkey.openSingleThreadedReader(base);
      return reader;
    }

    @Override
    public void close() throws IOException {
      if (writer != null) {
        writer.close();
      }
      if (reader != null) {
        reader.close();
      }
      writer = null;
      reader = null;
    }
  }
}
