package io.kvstadium.testing.promises;

import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.Export;
import io.kvstadium.transfer.ExportOptions;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.source.Sources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** What was imported is there, whole; what was interrupted can be replaced. */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.POWER, Fault.SECTOR},
    rounds = 12)
class ImportCrashTest {
  private static final long ENTRIES = 3000;

  void work(Path directory, Acknowledged acknowledged) {
    ByteArrayOutputStream dump = new ByteArrayOutputStream();
    try (Numbers source = Numbers.open("memory:")) {
      source.fill(ENTRIES);
      Export.run(source.store(), dump, Format.DUMP, ExportOptions.DEFAULT);
    }
    ImportOptions replacing = ImportOptions.DEFAULT.existing(Existing.REPLACE);
    new Targets(directory)
        .fill(
            acknowledged,
            to ->
                Import.run(
                    Sources.of(new ByteArrayInputStream(dump.toByteArray()), Format.DUMP),
                    to,
                    replacing));
  }

  void check(Path directory, List<String> acknowledged) {
    new Targets(directory).check(acknowledged, ENTRIES);
  }
}
