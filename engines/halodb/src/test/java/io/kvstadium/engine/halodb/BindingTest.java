package io.kvstadium.engine.halodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.FullException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way a user's jar is found and called, with a stand-in for HaloDB with the same signatures. It
 * says nothing about HaloDB; the conformance tests do, where its jar is available
 * (STADIUM_HALODB_JAR).
 */
class BindingTest {
  /** Without adapter and HaloDB, as for the class loader of an engine's folder. */
  private static final ClassLoader WITHOUT_ADAPTER =
      new ClassLoader(BindingTest.class.getClassLoader()) {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
          if (name.startsWith("io.kvstadium.engine.halodb.") || name.startsWith("com.oath.")) {
            throw new ClassNotFoundException(name);
          }
          return super.loadClass(name, resolve);
        }
      };

  @TempDir Path directory;

  private Path store() {
    return directory.resolve("store");
  }

  /** The engine and the user's jar in one class loader. */
  private Engines installed(String... withoutMethod) throws Exception {
    Path sources = Files.createDirectories(directory.resolve("sources"));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
    try (var in = Objects.requireNonNull(getClass().getResourceAsStream("/standin/HaloDB.txt"))) {
      String text = new String(in.readAllBytes(), UTF_8);
      for (String name : withoutMethod) {
        text = text.replace(" " + name + "(", " renamed(");
      }
      Matcher file = Pattern.compile("//// (\\w+)\\R([^/]*(?:/(?!///)[^/]*)*)").matcher(text);
      while (file.find()) {
        Path source = Files.writeString(sources.resolve(file.group(1) + ".java"), file.group(2));
        arguments.add(source.toString());
      }
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
    URL adapter = HaloDbEngine.class.getProtectionDomain().getCodeSource().getLocation();
    URL jar = classes.toUri().toURL();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new URLClassLoader(new URL[] {adapter, jar}, WITHOUT_ADAPTER));
    try {
      return Engines.installed();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private String url(String options) {
    return "halodb:" + store() + options;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void without_its_jar_it_says_what_is_missing_and_where_to_put_it() throws Exception {
    assumeTrue(HaloDbApi.missing() != null, "HaloDB's own jar is here");
    assertThat(new HaloDbEngine().unavailable())
        .contains("jar is missing")
        .contains("halodb-0.5.6.jar")
        .contains("folder halodb");
    Files.createDirectories(store());
    Files.writeString(store().resolve("1622051171.data"), "of HaloDB");

    assertThatThrownBy(() -> Stadium.open(url("")))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining("jar is missing");
    Options none = Options.of("halodb", new HaloDbEngine().info().options(), Map.of());
    StoreConfig config = new StoreConfig("", store(), Durability.POWER, false, none, _ -> none);
    assertThat(new HaloDbEngine().exists(config)).isTrue(); // files are known without the jar
    assertThatThrownBy(() -> new HaloDbEngine().open(config))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining(store().toString());
  }

  @Test
  void every_call_reaches_the_jar() throws Exception {
    Engines engines = installed();
    assertThat(engines.engine("halodb").unavailable()).isNull();
    try (Store store = engines.open(url("?durability=none"), OpenOptions.DEFAULT)) {
      Table<byte[], byte[]> table = store.table();
      table.put(bytes("a"), bytes("1"));
      table.put(bytes("b"), bytes(""));
      table.put(bytes("c"), bytes("3"));
      table.delete(bytes("c"));

      assertThat(table.get(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(table.get(bytes("c"))).isNull();
      assertThat(table.count()).isEqualTo(2);
      List<String> seen = new ArrayList<>();
      try (Cursor<byte[], byte[]> cursor = table.scan(Range.all());
          Cursor<byte[], byte[]> second = table.scan(Range.all())) {
        assertThat(second.next()).isTrue();
        assertThat(store.stats()).containsEntry("pauses", "1");
        while (cursor.next()) {
          seen.add(new String(cursor.key(), UTF_8) + "=" + new String(cursor.value(), UTF_8));
        }
      }
      assertThat(seen).containsExactlyInAnyOrder("a=1", "b=");
      assertThat(store.stats()).containsEntry("pauses", "0").containsEntry("size", "2");
      store.sync();
    }
  }

  @Test
  void options_and_level_reach_the_setters() throws Exception {
    Engines engines = installed();
    String options =
        "?max_file_size=2m&number_of_records=7&flush_data_size=3k&compaction_threshold=0.5"
            + "&compaction_job_rate=4m&build_index_threads=1";
    try (Store store = engines.open(url(options), OpenOptions.DEFAULT)) {
      assertThat(store.stats())
          .containsEntry(
              "options", "[2097152, 7, 3072, 0.5, 4194304, 1, sync true, clean up true, no pool]");
      assertThatThrownBy(() -> store.table().put(bytes("k"), bytes("")))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("values of 1 to");
    }
    assertThatThrownBy(() -> engines.open(url("?max_file_size=2g"), OpenOptions.DEFAULT))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("max_file_size");
  }

  @Test
  void a_memory_pool_has_keys_of_a_fixed_size() throws Exception {
    Engines engines = installed();
    String pool = "?durability=none&memory_pool=true&fixed_key_size=8";
    try (Store store =
        engines.open(url(pool + "&memory_pool_chunk_size=2m"), OpenOptions.DEFAULT)) {
      assertThat(store.stats().get("options")).endsWith("pool of 2097152 for keys of 8]");
      store.table().put(bytes("12345678"), bytes("1"));
      assertThatThrownBy(() -> store.table().put(bytes("123456789"), bytes("1")))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("8");
    }
    try (Store store =
        engines.open(url("?durability=none&fixed_key_size=8"), OpenOptions.DEFAULT)) {
      store.table().put(bytes("123456789"), bytes("1")); // no pool that it would have to fit
      assertThat(store.table().contains(bytes("123456789"))).isTrue();
    }
    assertThatThrownBy(() ->
            engines.open(
                url("?durability=none&memory_pool=true&fixed_key_size=128"), OpenOptions.DEFAULT))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("1 to 127");
  }

  @Test
  void errors_are_said_in_the_librarys_words() throws Exception {
    Engines engines = installed();
    try (Store store = engines.open(url("?durability=none"), OpenOptions.DEFAULT)) {
      assertThatThrownBy(() -> store.table().put(bytes("fail"), bytes("No space left on device")))
          .isInstanceOf(FullException.class)
          .hasMessageContaining(store().toString());
    }
    try (Store store = engines.open(url("?durability=none"), OpenOptions.DEFAULT)) {
      assertThatThrownBy(() -> store.table().put(bytes("fail"), bytes("Input/output error")))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("Input/output error");
    }
    assertThatThrownBy(
            () -> engines.open(url("?durability=none&number_of_records=13"), OpenOptions.DEFAULT))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("unlucky");
  }

  @Test
  void a_jar_with_another_interface_is_refused_by_name() throws Exception {
    String problem = installed("resumeCompaction").engine("halodb").unavailable();
    assertThat(problem).contains("com.oath.halodb.HaloDB.resumeCompaction");
  }
}
