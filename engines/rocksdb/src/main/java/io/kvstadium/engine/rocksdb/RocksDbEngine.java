package io.kvstadium.engine.rocksdb;

import io.kvstadium.engine.rocksjava.NativeLibrary;
import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.RocksDB;

/** RocksDB, through its makers' Java binding. */
public final class RocksDbEngine extends RocksJavaEngine {
  private static final String NAME = "rocksdb";

  /** Made by {@link java.util.ServiceLoader}. */
  public RocksDbEngine() {
    this(version(RocksDbEngine.class, NAME));
  }

  private RocksDbEngine(String version) {
    super(
        info(
            NAME,
            "RocksDB",
            version,
            "Apache-2.0 OR GPL-2.0-only",
            "LSM tree in C++: fast writes, compression, many options.",
            "Maintained by Meta; a release every month or two (https://rocksdb.org).",
            true,
            true,
            List.of(
                "With mode=secondary a read-only open follows a writer at each catchUp; tables that"
                    + " the writer makes later need a new open, and there are no snapshots.")),
        NativeLibrary.ofUser(NAME, version, System.getenv(), RocksDbEngine::load));
  }

  private static void load(Path library) {
    RocksDB.loadLibrary(List.of(Objects.requireNonNull(library.getParent()).toString()));
  }

  @Override
  protected String platforms() {
    return "Linux, macOS and 64-bit Windows";
  }

  @Override
  protected BlockBasedTableConfig blocks() {
    // RocksDB's default, from which its Java class differs.
    return super.blocks().setUniformCvThreshold(-1);
  }
}
