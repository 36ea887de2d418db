package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyLogIterator;
import com.spotify.sparkey.SparkeyReader;
import com.spotify.sparkey.SparkeyWriter;
import io.kvstadium.store.Entry;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Sync;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A pair of files in the making, which nobody else knows. For one thread. */
final class Draft implements AutoCloseable {
  private final File base;
  private final SparkeyWriter writer;

  Draft(File base, Options options) throws IOException {
    this.base = base;
    CompressionType compression =
        CompressionType.valueOf(options.text("compression").toUpperCase(Locale.ROOT));
    int block = compression == CompressionType.NONE ? 0 : (int) options.size("block_size");
    this.writer = Sparkey.createNew(base, compression, block);
  }

  File base() {
    return base;
  }

  void add(Iterator<Entry<byte[], byte[]>> entries) throws IOException {
    while (entries.hasNext()) {
      Entry<byte[], byte[]> entry = entries.next();
      writer.put(entry.key(), entry.value());
    }
  }

  /**
   * Adds what {@code older}, if given, has and {@code newer} does not have, and then what is live
   * in {@code newer}.
   */
  void merge(@Nullable File older, File newer) throws IOException {
    SparkeyReader winner = Sparkey.openSingleThreadedReader(newer);
    try {
      if (older != null) {
        for (SparkeyReader.Entry entry : new SparkeyLogIterator(Layout.log(older).toFile())) {
          byte[] key = entry.getKey();
          if (winner.getAsEntry(key) == null) {
            writer.put(key, entry.getValueAsStream(), entry.getValueLength());
          }
        }
      }
      for (SparkeyReader.Entry entry : winner) {
        writer.put(entry.getKey(), entry.getValueAsStream(), entry.getValueLength());
      }
    } catch (RuntimeException e) {
      throw new IOException(e); // its iterators wrap what they meet in it
    } finally {
      winner.close();
    }
  }

  /** Whether no entry was added twice; only for a finished draft. */
  boolean isLive() throws IOException {
    return Sparkey.getIndexHeader(Layout.index(base).toFile()).getNumEntries()
        == Sparkey.getLogHeader(Layout.log(base).toFile()).getNumPuts();
  }

  /**
   * Builds the index; nothing is added afterwards.
   *
   * @param durable whether the log is also flushed meanwhile
   */
  void finish(boolean durable) throws IOException {
    writer.flush();
    CompletableFuture<Void> flushed =
        durable
            ? CompletableFuture.runAsync(
                this::forceLog, task -> Thread.ofPlatform().name("sparkey flush").start(task))
            : CompletableFuture.completedFuture(null);
    try {
      index();
    } finally {
      flushed.handle((done, error) -> null).join(); // before the files may be removed
    }
    try {
      flushed.join(); // the final flush would not report its error again
    } catch (CompletionException e) {
      throw new IOException(e.getCause());
    }
    writer.close();
  }

  private void forceLog() {
    try {
      Sync.force(Layout.log(base));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void index() throws IOException {
    writer.setMaxMemory(freeMemory() / 2);
    try {
      writer.writeHash();
    } catch (RuntimeException e) {
      throw new IOException(e); // its iterators wrap what they meet in it
    }
  }

  /** Sparkey's own default counts only what is free before the heap grows, which is little. */
  private static long freeMemory() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  /** Removes the files, if they still have the draft's name. */
  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      Files.deleteIfExists(Layout.index(base));
      Files.deleteIfExists(Layout.log(base));
    }
  }
}
