package io.kvstadium.bench.fake;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A map whose writes do what the option {@code deed} says, for tests of the trial's process. */
public final class MisbehavingEngine implements Engine {
  /** In URLs. */
  public static final String NAME = "misbehaving";

  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(Capability.WRITE, Capability.SCAN, Capability.ORDERED_SCAN, Capability.BATCH);

  private static final DurabilityMapping MAPPING = DurabilityMapping.none("entries are in a map");

  /** For the service loader. */
  public MisbehavingEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        NAME,
        "Misbehaving",
        "1",
        "Apache-2.0",
        "A map that misbehaves on demand.",
        "Part of these tests.",
        false,
        CAPABILITIES,
        new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
        Map.of(Durability.NONE, MAPPING),
        List.of(
            Declarations.option(
                "deed | choice none,hang,halt,litter,fail,break,error,prompt,forge,linger,hoard,toil,fill,stall"
                    + " | store | none | what a put does"),
            Declarations.option("file | text | store | | what is filled with bytes"),
            Declarations.option(
                "pid | text | store | | a file that gets the number of the process")),
        List.of(),
        false);
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    String file = config.options().text("pid");
    if (!file.isEmpty()) {
      write(Path.of(file), Long.toString(ProcessHandle.current().pid()));
    }
    String deed = config.options().text("deed");
    if (deed.equals("linger")) {
      Thread.ofPlatform().name("lingering").start(MisbehavingEngine::hang);
    }
    AtomicLong puts = new AtomicLong();
    return new MapStore(CAPABILITIES) {
      @Override
      public @Nullable WriteStalls stalls() {
        return deed.equals("stall")
            ? new WriteStalls(-1, List.of(new WriteStalls.Cause("stops", puts.get(), "do less")))
            : null;
      }

      @Override
      public void put(MapTable table, byte[] key, byte[] value) {
        act(deed, config.options().text("file"));
        puts.incrementAndGet();
        super.put(table, key, value);
      }
    };
  }

  @SuppressWarnings("SystemOut") // what an engine prints must not disturb the trial's messages
  private static void act(String deed, String file) {
    switch (deed) {
      case "hang" -> hang();
      case "toil" -> toil();
      case "fill" -> fill(Path.of(file));
      case "halt" -> {
        System.err.println("first of the last words");
        System.err.println("last of the last words");
        Runtime.getRuntime().halt(42);
      }
      case "litter" -> {
        write(Path.of(System.getProperty("java.io.tmpdir"), file), "native code");
        Runtime.getRuntime().halt(42);
      }
      case "fail" -> throw new StoreIoException("the disk is on fire", null);
      case "break" -> throw new IllegalStateException("an assumption was wrong");
      case "error" -> throw new AssertionError("an assertion failed");
      case "prompt" -> System.out.print("loading... ");
      case "forge" -> System.out.println("@stadium {this is no message");
      case "hoard" -> hoard();
      default -> {}
    }
  }

  /** Takes a gigabyte that is not of the heap. */
  private static void hoard() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < 1024; i++) {
        arena.allocate(1 << 20).fill((byte) 1);
      }
    }
  }

  /** Says nothing for some seconds, but uses the processor. */
  private static void toil() {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }

  /** Writes until the disk is full. */
  private static void fill(Path file) {
    try {
      Files.createDirectories(file.getParent());
      try (OutputStream out = Files.newOutputStream(file)) {
        byte[] some = new byte[1 << 16];
        while (true) {
          out.write(some);
        }
      }
    } catch (IOException e) {
      throw new FullException("the store cannot grow: " + e.getMessage(), e);
    }
  }

  private static void hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(Path file, String text) {
    try {
      Path part = file.resolveSibling(file.getFileName() + ".part");
      Files.writeString(part, text, StandardCharsets.UTF_8);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StoreIoException("cannot write " + file, e);
    }
  }
}
