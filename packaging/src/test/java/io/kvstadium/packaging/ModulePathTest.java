package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application that is a module. */
class ModulePathTest {
  @TempDir Path directory;

  /** An application that requires the library and names no engine, compiled without any. */
  private void compile() throws IOException, InterruptedException {
    Path sources = Checkout.ROOT.resolve("packaging/src/test/modular");
    Checkout.Run javac =
        javac(
            "-Xlint:all",
            "-Werror",
            "-d",
            directory.resolve("app").toString(),
            "-p",
            jars("kv-stadium-store-", "jspecify-"),
            sources.resolve("module-info.java").toString(),
            sources.resolve("app/Main.java").toString());
    assertThat(javac.exit()).as(javac.said()).isZero();
  }

  /** What the guide says is needed besides {@code requires io.kvstadium.store}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rocksdb    | rocksdbjni- kv-stadium-rocksjava- | |",
        "sqlite     | sqlite-jdbc- slf4j- kv-stadium-sql- | |",
        "mvstore    | h2- kv-stadium-h2file- | |",
        "h2         | h2- kv-stadium-h2file- kv-stadium-sql- | |",
        "berkeleydb | je- | | jdk.unsupported,java.transaction.xa",
        "lmdb       | lmdbjava- jffi- jnr- asm- | native- | ALL-MODULE-PATH,jdk.unsupported"
      })
  void anEngineOnTheModulePathNeedsNoMoreThanTheGuideSays(
      String engine, String modules, @Nullable String classPath, @Nullable String added)
      throws Exception {
    compile();
    List<String> names = new ArrayList<>(List.of(modules.split(" ")));
    names.addAll(List.of("kv-stadium-store-", "kv-stadium-engine-" + engine + "-"));

    Checkout.Run java =
        Checkout.run(
            directory,
            List.of(
                Checkout.tool("java").toString(),
                "-p",
                directory.resolve("app") + File.pathSeparator + jars(names.toArray(String[]::new)),
                "-cp",
                classPath == null ? "none" : jars(classPath),
                "--add-modules",
                added == null ? "java.base" : added,
                "-m",
                "app/app.Main",
                engine + ":" + directory.resolve("store")));

    assertThat(java.exit()).as(java.said()).isZero();
    assertThat(java.said()).contains("module app counts 1");
  }

  @Test
  void anApplicationWithAModuleOfItsOwnFindsItsEnginesOnTheModulePath() throws Exception {
    compile();

    // run with engines of both kinds, with a descriptor and with a name in the manifest
    Checkout.Run java =
        Checkout.run(
            directory,
            List.of(
                Checkout.tool("java").toString(),
                "-p",
                directory.resolve("app")
                    + File.pathSeparator
                    + jars(
                        "kv-stadium-store-",
                        "kv-stadium-sql-",
                        "kv-stadium-h2file-",
                        "kv-stadium-engine-memory-",
                        "kv-stadium-engine-mvstore-",
                        "kv-stadium-engine-null-",
                        "kv-stadium-engine-qdbm-",
                        "kv-stadium-engine-sqlite-",
                        "kv-stadium-engine-tokyocabinet-",
                        "pcollections-",
                        "h2-",
                        "sqlite-jdbc-",
                        "slf4j-"),
                "-m",
                "app/app.Main",
                "memory:"));

    assertThat(java.exit()).as(java.said()).isZero();
    assertThat(java.said().lines())
        .containsExactly(
            "module app counts 1",
            "module io.kvstadium.store",
            "memory in module io.kvstadium.engine.memory",
            "mvstore in module io.kvstadium.engine.mvstore",
            "null in module io.kvstadium.engine.nothing",
            "qdbm in module io.kvstadium.engine.qdbm",
            "sqlite in module io.kvstadium.engine.sqlite",
            "tokyocabinet in module io.kvstadium.engine.tokyocabinet");
  }

  private Checkout.Run javac(String... arguments) throws IOException, InterruptedException {
    return Checkout.run(
        directory,
        Stream.concat(Stream.of(Checkout.tool("javac").toString()), Stream.of(arguments)).toList());
  }

  /** The jars of the class path whose names begin with a prefix, as a path. */
  private static String jars(String... beginnings) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(jar -> Stream.of(beginnings).anyMatch(jar.getFileName().toString()::startsWith))
        .map(Path::toString)
        .filter(jar -> jar.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
