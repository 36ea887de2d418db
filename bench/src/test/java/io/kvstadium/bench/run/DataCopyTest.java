package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.trial.Source;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCopyTest {
  @TempDir Path directory;

  private final List<String> told = new ArrayList<>();
  private final Languages java = Languages.java(Engines.of(List.of(FakeEngine.able("a"))));

  private Settings documents(int n) throws IOException {
    Path documents = Files.createDirectory(directory.resolve("documents"));
    for (int i = 0; i < n; i++) {
      Files.writeString(documents.resolve(i + ".json"), "{}");
    }
    Source source = new Source(documents.toString(), null, null, null, true, false, null);
    return Suites.settings(directory.resolve("out")).with(source);
  }

  @Test
  void aFewFilesAreReadWhereTheyAre() throws IOException {
    Settings settings = documents(3);

    assertThat(DataCopy.make(settings, java, told::add)).isSameAs(settings);
    assertThat(told).isEmpty();
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void manyAreCopiedOnceForAllTrials() throws IOException {
    Settings settings = documents(10_001);
    Source source = Objects.requireNonNull(DataCopy.make(settings, java, told::add).source());

    assertThat(directory.resolve("out").resolve(DataCopy.FILE)).exists();
    assertThat(told).singleElement().asString().endsWith("into one file, once for all trials");
    assertThat(source.dataset().describe())
        .isEqualTo(Objects.requireNonNull(settings.source()).dataset().describe());
    try (var entries = source.dataset().entries()) {
      assertThat(entries).toIterable().hasSize(10_001);
    }
  }
}
