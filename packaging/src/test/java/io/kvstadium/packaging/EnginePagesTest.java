package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the repository says about its engines is true. */
class EnginePagesTest {
  private static final Path PAGES = Checkout.ROOT.resolve("docs/engines");
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
    assertThat(Engines.KNOWN).containsExactlyElementsOf(modules().keySet());
  }

  @Test
  void thePagesAreThoseThatTheEnginesDeclare(@TempDir Path directory) throws Exception {
    // given the distribution that this build has laid out
    Checkout.Run run =
        Checkout.stadium(directory, List.of("engines", "--markdown", "--out", "pages"));
    assertThat(run.exit()).as(run.said()).isZero();

    try (Stream<Path> written = Files.list(directory.resolve("pages"))) {
      assertThat(written)
          .hasSize(modules().size() + 1)
          .allSatisfy(page ->
              assertThat(PAGES.resolve(page.getFileName()))
                  .as("regenerate it with: ./stadium engines --markdown --out docs/engines")
                  .hasSameTextualContentAs(page));
    }
  }
}
