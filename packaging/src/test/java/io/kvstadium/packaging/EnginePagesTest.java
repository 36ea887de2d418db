package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private static final Pattern LINES = Pattern.compile("\\| \\[([a-z0-9]+)\\]\\(.*\\| *(\\d+) \\|");

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
          .hasSize(modules().size() + 2)
          .allSatisfy(page ->
              assertThat(PAGES.resolve(page.getFileName()))
                  .as("regenerate it with: ./stadium engines --markdown --out docs/engines")
                  .hasSameTextualContentAs(page));
    }
  }

  @Test
  void theLinesOfEachAdapterAreAboutWhatTheReadmeSays() throws IOException {
    Map<String, Long> told = new TreeMap<>();
    Matcher line = LINES.matcher(Files.readString(PAGES.resolve("README.md")));
    while (line.find()) {
      told.put(line.group(1), Long.valueOf(line.group(2)));
    }

    Map<String, Path> modules = modules();
    assertThat(told).containsOnlyKeys(modules.keySet());
    modules.forEach((name, folder) -> {
      long lines = lines(folder);
      assertThat(told.get(name))
          .as("lines of %s: %d", name, lines)
          .isBetween(lines * 9 / 10 - 5, lines * 11 / 10 + 5);
    });
  }

  /** The lines of an adapter's sources, without the package-info files. */
  private static long lines(Path module) {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
      long lines = 0;
      for (Path file :
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .toList()) {
        lines += Files.readAllLines(file).size();
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
