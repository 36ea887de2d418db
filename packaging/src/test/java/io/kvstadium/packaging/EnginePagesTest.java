package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the repository says about its engines is true. */
class EnginePagesTest {
  private static final Path PAGES = Checkout.ROOT.resolve("docs/engines");

  /** Engines whose version is that of an installed library. */
  private static final List<String> FROM_THE_SYSTEM =
      List.of("leveldb", "mdbx", "qdbm", "tokyocabinet");

  private static final Pattern MODULE = Pattern.compile("<module>([a-z0-9]+)</module>");
  private static final Pattern NAME = Pattern.compile("<engine.name>([a-z0-9]+)</engine.name>");

  /** The folders of the engines' modules by the engines' names. */
  private static Map<String, Path> modules() throws IOException {
    Map<String, Path> modules = new TreeMap<>();
    Matcher module = MODULE.matcher(Files.readString(Checkout.ROOT.resolve("engines/pom.xml")));
    while (module.find()) {
      Path folder = Checkout.ROOT.resolve("engines").resolve(module.group(1));
      Matcher name = NAME.matcher(Files.readString(folder.resolve("pom.xml")));
      if (name.find()) {
        modules.put(name.group(1), folder);
      }
    }
    return modules;
  }

  @Test
  void theCommandKnowsEveryEngineThereIs() throws IOException {
    assertThat(
            Files.readAllLines(
                Checkout.ROOT.resolve(
                    "cli/src/main/resources/io/kvstadium/cli/engines/engines.txt")))
        .containsExactlyElementsOf(modules().keySet());
  }

  /** Writes the pages into {@code target/engine-pages}, from where they can be copied. */
  @Test
  void thePagesAreThoseThatTheEnginesDeclare() throws Exception {
    // given the engines of the distribution that this build has laid out
    Engines engines = Engines.inFolders(List.of(Checkout.ROOT.resolve("target/dist/engines")));
    for (String name : FROM_THE_SYSTEM) {
      Needs.none(engines.engine(name).unavailable());
    }
    Path made = Files.createDirectories(Checkout.ROOT.resolve("target/engine-pages"));

    Map<String, String> pages =
        EnginePages.files(engines.all().stream().map(Engine::info).toList());

    for (Map.Entry<String, String> page : pages.entrySet()) {
      Files.writeString(made.resolve(page.getKey()), page.getValue());
    }
    assertThat(engines.all()).hasSize(modules().size());
    assertThat(pages)
        .allSatisfy((name, text) ->
            assertThat(PAGES.resolve(name))
                .as("get the new pages with: cp target/engine-pages/* docs/engines")
                .hasContent(text));
  }
}
