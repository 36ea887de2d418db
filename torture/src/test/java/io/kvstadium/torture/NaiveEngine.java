package io.kvstadium.torture;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Evidence;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * What many programs use as a store: a map, and a log behind an 8 kB buffer that nobody flushes; a
 * torn end of the log is ignored. It claims to survive a kill. A backup is a copy of the log.
 */
public final class NaiveEngine implements Engine {
  private static final Evidence HOPE = Evidence.argued("hope");

  private static final EngineInfo INFO =
      new EngineInfo(
          "naive",
          "Naive",
          "1",
          "Apache-2.0",
          "A map and a log.",
          "A test.",
          true,
          Set.of(
              Capability.PERSISTENT,
              Capability.WRITE,
              Capability.SCAN,
              Capability.ORDERED_SCAN,
              Capability.BATCH,
              Capability.BACKUP),
          new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
          DurabilityMapping.levels(
              DurabilityMapping.none("nothing"),
              DurabilityMapping.process("hope", HOPE),
              DurabilityMapping.power("hope", HOPE)),
          List.of(),
          List.of(),
          false);

  @Override
  public EngineInfo info() {
    return INFO;
  }

  private static Path log(StoreConfig config) {
    return config.directory().resolve("log");
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(log(config));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    return new NaiveStore(log(config));
  }

  private record NaiveTable(String name) implements EngineTable {}

  private static final class NaiveStore implements EngineStore<NaiveTable> {
    private final NavigableMap<byte[], byte[]> map =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final Path log;
    private final DataOutputStream out;

    NaiveStore(Path log) throws IOException {
      this.log = log;
      if (Files.exists(log)) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(log))) {
          while (true) {
            byte[] key = in.readNBytes(in.readInt());
            int length = in.readInt();
            byte[] value = in.readNBytes(Math.max(0, length));
            if (value.length < length) {
              break;
            }
            if (length < 0) {
              map.remove(key);
            } else {
              map.put(key, value);
            }
          }
        } catch (EOFException e) {
          // a torn end, or the very end
        }
      }
      out =
          new DataOutputStream(
              new BufferedOutputStream(
                  Files.newOutputStream(
                      log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)));
    }

    @Override
    public Set<Capability> capabilities() {
      return INFO.capabilities();
    }

    @Override
    public Set<String> tables() {
      return Set.of(Store.DEFAULT_TABLE);
    }

    @Override
    public NaiveTable openTable(String name, Options options, boolean create) {
      return new NaiveTable(name);
    }

    @Override
    public byte @Nullable [] get(NaiveTable table, byte[] key) {
      byte[] value = map.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public synchronized void put(NaiveTable table, byte[] key, byte[] value) throws IOException {
      out.writeInt(key.length);
      out.write(key);
      out.writeInt(value.length);
      out.write(value);
      map.put(key.clone(), value.clone());
    }

    @Override
    public synchronized void delete(NaiveTable table, byte[] key) throws IOException {
      out.writeInt(key.length);
      out.write(key);
      out.writeInt(-1);
      map.remove(key);
    }

    @Override
    public synchronized void write(List<Write<NaiveTable>> writes) throws IOException {
      for (Write<NaiveTable> write : writes) {
        byte[] value = write.value();
        if (value == null) {
          delete(write.table(), write.key());
        } else {
          put(write.table(), write.key(), value);
        }
      }
    }

    @Override
    public synchronized EngineCursor cursor(NaiveTable table, Range<byte[]> range) {
      return new NaiveCursor(
          (range.reversed() ? map.descendingMap() : map)
              .entrySet().stream().filter(entry -> range.contains(entry.getKey())).toList());
    }

    @Override
    public synchronized void sync() throws IOException {
      out.flush();
    }

    @Override
    public boolean backup(BackupTarget target) throws IOException {
      Files.copy(log, target.directory().resolve(log.getFileName()));
      return true;
    }

    @Override
    public synchronized void close() throws IOException {
      out.close();
    }
  }

  private static final class NaiveCursor implements EngineCursor {
    private final Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.@Nullable Entry<byte[], byte[]> current;

    NaiveCursor(List<Map.Entry<byte[], byte[]>> entries) {
      this.entries = entries.iterator();
    }

    @Override
    public boolean next() {
      current = entries.hasNext() ? entries.next() : null;
      return current != null;
    }

    @Override
    public byte[] key() {
      return java.util.Objects.requireNonNull(current).getKey().clone();
    }

    @Override
    public byte[] value() {
      return java.util.Objects.requireNonNull(current).getValue().clone();
    }

    @Override
    public void close() {}
  }
}
