package io.kvstadium.engine.speedb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.declare.OptionSpec;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.invoke.MethodType;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

/** How Speedb differs from RocksDB, whose tests cover the code that they share. */
class SpeedbEngineTest {
  @TempDir Path directory;

  @Test
  void itIsSpeedb() throws IOException {
    // given an open store
    try (Store store = Stadium.open("speedb:" + directory)) {
      store.table().put(new byte[] {1}, new byte[] {2});
    }

    // then its own library made it
    assertThat(RocksDB.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .contains("speedbjni");
    assertThat(Files.readString(directory.resolve("LOG"))).containsIgnoringCase("speedb");
  }

  /** The shared code is compiled against RocksDB's classes of these names. */
  @Test
  void allThatTheSharedCodeCallsIsThere() throws IOException, ClassNotFoundException {
    List<String> missing = new ArrayList<>();
    int seen = 0;
    for (byte[] file : classes(RocksJavaEngine.class)) {
      ClassModel model = ClassFile.of().parse(file);
      for (var entry : model.constantPool()) {
        if (entry instanceof MemberRefEntry member
            && member.owner().asInternalName().startsWith("org/rocksdb/")) {
          seen++;
          if (!isThere(member)) {
            missing.add(member.owner().asInternalName() + "." + member.name() + member.type());
          }
        }
      }
    }

    assertThat(seen).isGreaterThan(100);
    assertThat(missing).isEmpty();
  }

  @Tag("full")
  @Test
  void everyOptionCanBeSet() {
    for (OptionSpec spec : new SpeedbEngine().info().options()) {
      String value =
          switch (spec.type()) {
            case BOOLEAN -> "true";
            case INTEGER -> "5";
            case DECIMAL -> Objects.requireNonNull(spec.range()).max();
            case SIZE -> spec.budget() == null ? "64k" : "128m";
            case DURATION -> "100ms";
            case CHOICE -> spec.choices().getFirst(); // none of transactions
            case TEXT -> "x";
          };
      String more =
          switch (spec.name()) {
            case "partition_filters" -> "&index_type=two_level";
            case "enable_blob_garbage_collection" -> "&enable_blob_files=true";
            case "level0_stop_writes_trigger" -> "&level0_slowdown_writes_trigger=5";
            case "max_bytes_for_level_multiplier" -> "&num_levels=3";
            default -> "";
          };
      String url = "speedb:" + directory.resolve(spec.name()) + "?" + spec.name() + "=" + value;

      try (Store store = Stadium.open(url + more)) {
        store.table().put(new byte[] {1}, new byte[] {2});
        assertThat(store.table().get(new byte[] {1})).as(spec.name()).containsExactly(2);
      }
    }
  }

  @Test
  void zstdMakesFilesSmaller() throws IOException {
    long plain = sizeWith("none");
    long compressed = sizeWith("zstd");

    assertThat(compressed).isLessThan(plain / 2);
  }

  private long sizeWith(String compression) throws IOException {
    Path place = directory.resolve(compression);
    try (Store store = Stadium.open("speedb:" + place + "?compression=" + compression)) {
      for (int i = 0; i < 1_000; i++) {
        byte[] value = new byte[500];
        Arrays.fill(value, (byte) i);
        store.table().put(new byte[] {(byte) (i >> 8), (byte) i}, value);
      }
      store.compact();
      return Long.parseLong(Map.copyOf(store.stats()).get("table_files_bytes"));
    }
  }

  @Test
  void thereAreNoTransactions() {
    assertThatThrownBy(() -> Stadium.open("speedb:" + directory + "?transactions=optimistic"))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("rocksdb");
    try (Store store = Stadium.open("speedb:" + directory)) {
      assertThat(store.capabilities()).doesNotContain(Capability.TRANSACTION);
    }
  }

  @Test
  void thereIsNoSecondaryMode() {
    String url = "speedb:" + directory;
    Stadium.open(url).close();

    assertThatThrownBy(() -> Stadium.open(url + "?mode=secondary&read_only=true"))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("read_only=true");
  }

  @Test
  void itIsRefusedInAProcessThatHasUsedRocksDb() {
    // given a mark that RocksDB's native library is loaded
    String property = "io.kvstadium.engine.rocksjava.library";
    new SpeedbEngine().unavailable();
    String before = System.setProperty(property, "rocksdb");
    try {
      // then it is known to be installed, but not opened
      assertThat(new SpeedbEngine().unavailable()).isNull();
      assertThatThrownBy(() -> Stadium.open("speedb:" + directory))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("another process");
    } finally {
      System.setProperty(property, before);
    }
  }

  @Test
  void aNumberOutOfRangeIsTheCallersMistake() {
    assertThatThrownBy(() -> Stadium.open("speedb:" + directory + "?num_levels=99999999999999"))
        .isInstanceOf(BadArgumentException.class);
  }

  private static boolean isThere(MemberRefEntry member) throws ClassNotFoundException {
    Class<?> owner =
        Class.forName(
            member.owner().asInternalName().replace('/', '.'),
            false,
            SpeedbEngineTest.class.getClassLoader());
    String name = member.name().stringValue();
    String type = member.type().stringValue();
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      Stream<String> members =
          Stream.of(
                  Arrays.stream(c.getDeclaredMethods())
                      .map(m -> m.getName() + descriptor(m.getReturnType(), m.getParameterTypes())),
                  Arrays.stream(c.getDeclaredConstructors())
                      .map(m -> "<init>" + descriptor(void.class, m.getParameterTypes())),
                  Arrays.stream(c.getDeclaredFields())
                      .map(f -> f.getName() + f.getType().descriptorString()))
              .flatMap(m -> m);
      if (members.anyMatch((name + type)::equals)) {
        return true;
      }
    }
    return owner.isEnum() || owner.isInterface();
  }

  private static String descriptor(Class<?> result, Class<?>[] parameters) {
    return MethodType.methodType(result, parameters).descriptorString();
  }

  /** Returns the class files of the jar or folder that this class is from. */
  private static List<byte[]> classes(Class<?> one) throws IOException {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().getPath());
    if (Files.isDirectory(place)) {
      return read(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return read(jar.getPath("/"));
    }
  }

  private static List<byte[]> read(Path root) throws IOException {
    List<byte[]> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        classes.add(Files.readAllBytes(file));
      }
    }
    return classes;
  }
}
