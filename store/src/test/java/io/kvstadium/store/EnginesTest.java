package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.engine.Engine;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnginesTest {
  private static final Engines ONLY_FAKE = Engines.of(List.<Engine>of(new FakeEngine()));

  @Test
  void anEngineThatIsNotThereIsNamedByItsArtifact() {
    assertThatThrownBy(() -> ONLY_FAKE.engine("sqlite"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("unknown engine 'sqlite'")
        .hasMessageContaining("kv-stadium-engine-sqlite")
        .hasMessageContaining("there are: fake");
  }

  @Test
  void aTypoIsGuessedFromWhatThereIs() {
    assertThatThrownBy(() -> ONLY_FAKE.engine("fakke")).hasMessageContaining("did you mean 'fake'");
    assertThatThrownBy(() -> Engines.of(List.of()).engine("sqlite"))
        .hasMessageStartingWith("unknown engine 'sqlite'; there are: none");
  }

  @Test
  void anEngineThatLacksItsLibraryHidesNoOther(@TempDir Path classes) throws Exception {
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(Engine.class.getName()),
        "lacking.Broken\n" + FakeEngine.class.getName() + "\nnot.There\n");
    try (URLClassLoader loader = new WithoutALibrary(classes)) {
      Engines found = installed(loader);
      assertThat(found.names()).contains("fake");
      assertThatThrownBy(() -> found.engine("sqlite"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("without a library that it needs")
          .hasMessageContaining("some/Library")
          .hasMessageContaining("not.There not found");
    }
  }

  private static Engines installed(ClassLoader context) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(context);
    try {
      return Engines.installed();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Has a class that refers to one that does not exist. */
  private static final class WithoutALibrary extends URLClassLoader {
    WithoutALibrary(Path classes) throws MalformedURLException {
      super(new URL[] {classes.toUri().toURL()}, EnginesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals("lacking.Broken")) {
        throw new NoClassDefFoundError("some/Library");
      }
      return super.findClass(name);
    }
  }
}
