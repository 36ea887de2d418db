package io.kvstadium.bench.fake;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.OptionSpec.Scope;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.StoreConfig;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A map that is kept in a log, and does what the option {@code deed} says after a kill. */
public final class LogEngine implements Engine {
  /** In URLs. */
  public static final String NAME = "log";

  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(Capability.WRITE, Capability.SCAN, Capability.ORDERED_SCAN, Capability.PERSISTENT);

  /** For the service loader. */
  public LogEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        NAME,
        "Log",
        "1",
        "Apache-2.0",
        "A map with a log.",
        "Part of these tests.",
        true,
        CAPABILITIES,
        new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
        Map.of(
            Durability.NONE,
            DurabilityMapping.process(
                "each write goes to the file", Evidence.argued("these tests"))),
        List.of(
            OptionSpec.choice(
                "deed",
                Scope.STORE,
                "none",
                List.of("none", "forget", "refuse", "end"),
                "what it does when it is opened for the third or, after a kill, fourth time")),
        List.of());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(config.directory().resolve("log"));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    try {
      Path clean = config.directory().resolve("clean");
      String deed = config.options().text("deed");
      boolean killed = exists(config) && !Files.deleteIfExists(clean);
      boolean again = exists(config) && !killed && log(config).contains("store");
      if (again && deed.equals("end") && !clean.resolveSibling("again").toFile().createNewFile()) {
        Runtime.getRuntime().halt(3);
      }
      if (killed && deed.equals("refuse")) {
        throw new CorruptException("the log is torn", null);
      }
      LogStore store = new LogStore(config, clean);
      if (!killed || !deed.equals("forget")) {
        store.replay();
      }
      return store;
    } catch (IOException e) {
      throw new StoreIoException("cannot open the log", e);
    }
  }

  private static String log(StoreConfig config) {
    return config.directory().getFileName().toString();
  }

  private static final class LogStore extends MapStore {
    private static final MapTable ONLY = new MapTable("default");

    private final Path log;
    private final Path clean;
    private final DataOutputStream out;

    LogStore(StoreConfig config, Path clean) throws IOException {
      super(CAPABILITIES, Durability.PROCESS);
      Files.createDirectories(config.directory());
      this.log = config.directory().resolve("log");
      this.clean = clean;
      this.out = new DataOutputStream(new FileOutputStream(log.toFile(), true));
    }

    void replay() throws IOException {
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(log)))) {
        while (true) {
          byte[] key = in.readNBytes(in.readInt());
          int length = in.readInt();
          if (length < 0) {
            super.delete(ONLY, key);
          } else {
            super.put(ONLY, key, in.readNBytes(length));
          }
        }
      } catch (EOFException e) {
        // its end
      }
    }

    @Override
    public synchronized void put(MapTable table, byte[] key, byte[] value) {
      append(key, value.length, value);
      super.put(table, key, value);
    }

    @Override
    public synchronized void delete(MapTable table, byte[] key) {
      append(key, -1, new byte[0]);
      super.delete(table, key);
    }

    private void append(byte[] key, int length, byte[] value) {
      try {
        out.writeInt(key.length);
        out.write(key);
        out.writeInt(length);
        out.write(value);
      } catch (IOException e) {
        throw new StoreIoException("cannot write the log", e);
      }
    }

    @Override
    public BackgroundWork background() {
      return BackgroundWork.NONE;
    }

    @Override
    public void close() {
      try {
        out.close();
        Files.createFile(clean);
      } catch (IOException e) {
        throw new StoreIoException("cannot close the log", e);
      }
    }
  }
}
