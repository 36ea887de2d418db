package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.plan.UserData;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCopyTest {
  @TempDir Path directory;

  @Test
  void dataAreCopiedOnceForAllTrialsAndDiscardedWithARunThatDidNotBegin() throws IOException {
    Settings settings =
        DataCopy.make(
            Suites.settings(directory.resolve("out")), source("key,value\na,1\n"), _ -> {});
    Source source = Objects.requireNonNull(settings.source());

    assertThat(directory.resolve("out").resolve(Settings.DATA)).exists();
    assertThat(UserData.read(source.dataset(), 1).shape().records()).isEqualTo(1);
    DataCopy.discard(settings);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void whatCannotBeReadLeavesNothing() throws IOException {
    EntrySource bad = source("key,value\na,1\nb\n");

    assertThatThrownBy(() -> DataCopy.make(Suites.settings(directory.resolve("out")), bad, _ -> {}))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining("line 3");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  private EntrySource source(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("x.csv"), text);
    return Sources.open(file.toString(), SourceOptions.DEFAULT, Engines.of(List.of()));
  }
}
