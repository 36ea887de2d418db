package io.kvstadium.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.engine.halodb.HaloDbEngine;
import io.kvstadium.engine.halodb.RawHaloDb;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.Engine;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BaselinesTest {
  /** These keep nothing (memory, and HaloDB's stand-in) or have their own files. */
  private static final Set<String> APART = Set.of("memory", "halodb", "sparkey");

  @TempDir Path directory;

  /**
   * Without speedb, whose classes clash with those of rocksdb, without null, which has no entries,
   * and without those that are somebody's server, used by its protocol either way.
   */
  static Stream<String> engines() {
    Set<String> without = Set.of("null", "speedb", "cassandra", "redis", "rocksserver");
    return Engines.KNOWN.stream().filter(name -> !without.contains(name));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void whatTheLibraryMadeIsUsedByHand(String name) throws Exception {
    Engines engines = Engines.installed();
    assumeTrue(engines.engine(name).unavailable() == null, "engine " + name + " is not here");

    check(engines, name);
  }

  /** HaloDB is not published: a stand-in with its interface takes its place. */
  @Test
  void halodbIsUsedThroughTheJarThatTheUserBrings() throws Exception {
    Path classes = directory.resolve("classes");
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
    Path standIn = Path.of("../engines/halodb/src/test/resources/standin/HaloDB.txt");
    for (String file : Files.readString(standIn).split("(?m)^//// ", -1)) {
      if (!file.isBlank()) {
        String[] nameAndCode = file.split("\\R", 2);
        Path source = directory.resolve(nameAndCode[0] + ".java");
        arguments.add(Files.writeString(source, nameAndCode[1]).toString());
      }
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
    ClassLoader aside =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.kvstadium.engine.halodb.")) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    URL[] together = {at(HaloDbEngine.class), at(RawHaloDb.class), classes.toUri().toURL()};
    Engine halodb =
        ServiceLoader.load(Engine.class, new URLClassLoader(together, aside)).stream()
            .map(ServiceLoader.Provider::get)
            .filter(engine -> engine.info().name().equals("halodb"))
            .findFirst()
            .orElseThrow();

    check(Engines.of(List.of(halodb)), "halodb");
  }

  private void check(Engines engines, String name) throws Exception {
    Engine engine = engines.engine(name);
    Durability weakest = engine.info().durability().keySet().iterator().next();
    Path store = Files.createDirectories(directory.resolve("store"));
    String url = name + ":" + store + "?durability=" + weakest.word();
    if (!APART.contains(name)) {
      try (Store library = engines.open(url, OpenOptions.DEFAULT)) {
        library.table().put(bytes("a"), bytes("1"));
      }
    }

    try (Baseline.Handle byHand =
        Objects.requireNonNull(Baseline.of(engine)).open(engines.config(url))) {
      byHand.put(bytes("b"), bytes("2"));
      byHand.put(bytes("c"), bytes("3"));
      byHand.delete(bytes("c"));

      assertThat(byHand.get(bytes("a"))).isEqualTo(APART.contains(name) ? null : bytes("1"));
      assertThat(byHand.get(bytes("b"))).isEqualTo(bytes("2"));
      assertThat(byHand.get(bytes("c"))).isNull();
    }
  }

  private static URL at(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
