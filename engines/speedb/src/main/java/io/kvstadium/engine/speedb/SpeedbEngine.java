package io.kvstadium.engine.speedb;

import io.kvstadium.engine.rocksjava.NativeLibrary;
import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/** Speedb, through its makers' Java binding. */
public final class SpeedbEngine extends RocksJavaEngine {
  private static final String NAME = "speedb";

  /** Made by {@link java.util.ServiceLoader}. */
  public SpeedbEngine() {
    this(version(SpeedbEngine.class, NAME));
  }

  private SpeedbEngine(String version) {
    super(
        info(
                NAME,
                "Speedb",
                version,
                "Apache-2.0 OR GPL-2.0-only",
                "Fork of RocksDB 8, made for fast writes on large data.",
                "Abandoned: no release since 2024, after its makers were bought by Redis"
                    + " (https://github.com/speedb-io/speedb).",
                false,
                List.of(
                    "There are no transactions and no mode=secondary: both are offered with rocksdb only.",
                    "RocksDB opens what Speedb wrote; Speedb refuses what a current RocksDB wrote, and"
                        + " its own store once RocksDB has added a file to it.",
                    "Use it to compare; for new data use rocksdb, which is maintained."))
            .asLegacy(),
        NativeLibrary.ofUser(NAME, version, System.getenv(), SpeedbEngine::load));
  }

  /**
   * Speedb's class loads its library when it is initialized, from wherever its loader unpacked it.
   * So the library is loaded before that, and the loader is marked as initialized.
   */
  private static void load(Path library) throws IOException {
    try {
      Field done = NativeLibraryLoader.class.getDeclaredField("initialized");
      done.setAccessible(true);
      System.load(library.toString());
      done.setBoolean(null, true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IOException("the loader of speedbjni differs from that of version 2.8.0", e);
    }
    RocksDB.loadLibrary();
  }

  @Override
  protected Map<String, String> defaults() {
    return Map.of("memtable_max_range_deletions", "1024");
  }

  @Override
  protected String platforms() {
    return "Linux with glibc (x86-64, AArch64), macOS and 64-bit Windows";
  }
}
