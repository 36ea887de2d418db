package io.kvstadium.engine.mapdb;

import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Limits;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.OptionSpec.Scope;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** MapDB, version 3. */
public final class MapDbEngine implements Engine {
  static final String SUFFIX = ".mapdb";
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.READ_ONLY,
          Capability.EMPTY_KEY);

  /** For {@link java.util.ServiceLoader}. */
  public MapDbEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "mapdb",
        "MapDB",
        "3.1.0",
        "Apache-2.0",
        "Java collections in a file: a B-tree or a hash tree of byte strings.",
        "A project of one author, Jan Kotek; stagnant: 3.1.0 is of January 2024, and no release has followed"
            + " (https://mapdb.org).",
        true,
        CAPABILITIES,
        new Limits(64 << 10, 16 << 20),
        DurabilityMapping.levels(
            DurabilityMapping.none("no transactionEnable()"),
            DurabilityMapping.none("no transactionEnable(), volume=raf").byDefault()),
        List.of(
            OptionSpec.choice(
                "type",
                Scope.STORE,
                "tree",
                List.of("tree", "hash"),
                "BTreeMap, or HTreeMap: faster by key, scanned in no order"),
            OptionSpec.choice(
                "volume",
                Scope.STORE,
                "mmap",
                List.of("mmap", "raf"),
                "how the file is used: mapped, or a RandomAccessFile under a lock, which is MapDB's"
                    + " own default and that of durability=engine-default"),
            OptionSpec.bool(
                "values_outside_nodes",
                Scope.TABLE,
                "false",
                "each value in a record of its own, for values above some 100 bytes; tree only,"
                    + " decided when the table is made")),
        List.of(
            "A store whose process ended without a close, or was killed, usually cannot be opened again:"
                + " MapDB says that its header is broken.",
            "MapDB's own transactions (transactionEnable) are not offered: version 3.1 writes a log before"
                + " it changes the file, but never reads that log again, so that a kill during commit"
                + " damages the file all the same.",
            "sync() makes durable what was written before, as long as nothing is written after it.",
            "There are neither batches nor snapshots: a scan sees each entry as it is when its part of the"
                + " tree is reached.",
            "Space of deleted entries is used again but never given back.",
            "MapDB keeps no checksums: damage within the file can go unnoticed.",
            "A mapped file stays mapped after the close until the garbage collector has noticed."));
  }

  @Override
  public boolean exists(StoreConfig config) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(config.directory(), "*" + SUFFIX)) {
      return files.iterator().hasNext();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new StoreIoException(
          "engine mapdb: cannot list " + config.path() + " (" + e + "): check its rights", e);
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new MapDbStore(config);
  }
}
