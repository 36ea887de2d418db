package io.kvstadium.engine.halodb;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.OwnThread;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store that HaloDB wrote, read without HaloDB and never written. */
final class AdoptedStore implements EngineStore<HaloDbTable> {
  private final RecordFiles files;
  private final Durability durability;

  AdoptedStore(StoreConfig config) throws IOException {
    this.durability = config.durability();
    boolean salvage = config.options().bool(HaloDbEngine.SALVAGE);
    // an interrupt would close a file before it is mapped
    this.files =
        OwnThread.once("halodb-adopting", () -> new RecordFiles(config.directory(), salvage));
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(
        Capability.PERSISTENT, Capability.SCAN, Capability.ESTIMATED_COUNT, Capability.ADOPT);
  }

  @Override
  public Limits limits() {
    return new Limits(
        Math.max(HaloDbEngine.LIMITS.maxKeyBytes(), files.longestKey()),
        HaloDbEngine.LIMITS.maxValueBytes());
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return Failures.ofUsing(thrown);
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public @Nullable HaloDbTable openTable(String name, Options options, boolean create) {
    return name.equals(Store.DEFAULT_TABLE) ? new HaloDbTable(name) : null;
  }

  @Override
  public byte @Nullable [] get(HaloDbTable table, byte[] key) {
    return files.index().get(key);
  }

  @Override
  public boolean exists(HaloDbTable table, byte[] key) {
    return files.index().has(key);
  }

  @Override
  public EngineCursor cursor(HaloDbTable table, Range range) {
    return new AdoptedCursor(files);
  }

  @Override
  public void put(HaloDbTable table, byte[] key, byte[] value) {
    throw new UnsupportedOperationException("put");
  }

  @Override
  public void delete(HaloDbTable table, byte[] key) {
    throw new UnsupportedOperationException("delete");
  }

  @Override
  public long count(HaloDbTable table) {
    return files.index().live();
  }

  @Override
  public long estimateCount(HaloDbTable table) {
    return count(table);
  }

  @Override
  public void sync() {
    // nothing is written
  }

  @Override
  public Map<String, String> stats() {
    return files.figures();
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
