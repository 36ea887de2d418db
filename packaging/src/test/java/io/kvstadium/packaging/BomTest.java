package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BomTest {
  private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(kv-stadium-[^<]*)<");

  @Test
  void itHasEveryArtifactThatAnApplicationMayNameAndNothingElse() throws IOException {
    List<String> published = poms().stream().map(pom -> artifacts(pom).getFirst()).toList();

    List<String> listed = artifacts(Checkout.built("bom", ".flattened-pom.xml"));

    assertThat(listed.getFirst()).isEqualTo("kv-stadium-bom");
    assertThat(listed.subList(1, listed.size())).containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void itPinsNobodyElsesLibraries() throws IOException {
    String bom = Files.readString(Checkout.built("bom", ".flattened-pom.xml"));

    assertThat(bom).doesNotContain("<parent>", "<properties>", "jackson", "junit");
    assertThat(bom).contains("<url>", "<licenses>", "<scm", "<developers>", "<description>");
  }

  @Test
  void noneChoosesForTheApplicationWhereItLogs() throws IOException {
    for (Path pom : poms()) {
      assertThat(Files.readAllLines(pom).stream().filter(line -> line.contains("slf4j-nop")))
          .as(pom.toString())
          .allSatisfy(line -> assertThat(line).contains("<optional>true</optional>"));
    }
  }

  private static List<Path> poms() throws IOException {
    List<Path> modules =
        new ArrayList<>(
            Stream.of(
                    "store",
                    "conformance",
                    "transfer",
                    "trace",
                    "backup",
                    "torture",
                    "testing",
                    "kotlin",
                    "micrometer",
                    "spring-boot-starter")
                .map(Path::of)
                .toList());
    try (Stream<Path> engines = Files.list(Checkout.ROOT.resolve("engines"))) {
      engines.filter(module -> Files.exists(module.resolve("pom.xml"))).forEach(modules::add);
    }
    return modules.stream()
        .map(module -> Checkout.ROOT.resolve(module).resolve("pom.xml"))
        .toList();
  }

  private static List<String> artifacts(Path pom) {
    try {
      return ARTIFACT
          .matcher(PARENT.matcher(Files.readString(pom)).replaceAll(""))
          .results()
          .map(found -> found.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
