package io.kvstadium.transfer.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.LockedException;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Item;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HaloDB's files, read without HaloDB. */
final class HaloDbSourceTest {
  @TempDir Path directory;
  private HaloFiles files;
  private final List<String> leftOut = new ArrayList<>(); // by the last pass

  @BeforeEach
  void beginHaloDb() throws IOException {
    Files.createFile(directory.resolve("META"));
    files = new HaloFiles(directory, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void newestRecordCountsUnlessADeletionIsNewer(int version) throws IOException {
    HaloFiles of = new HaloFiles(directory, version);
    of.file()
        .put(1, "a", "old")
        .put(2, "b", "2")
        .put(3, "empty", "")
        .put(9, "back", "9")
        .write("10.data");
    of.file().put(7, "a", "new").put(8, "gone", "x").put(4, "b", "4").write("12.data");
    // compaction has copied an old record into a file with a higher number
    of.file().put(1, "a", "old").put(4, "b", "4").write("13.datac");
    of.file().delete(10, "gone").delete(5, "back").delete(3, "never").write("11.tombstone");
    Files.writeString(directory.resolve("10.index"), "not looked at");
    Files.writeString(directory.resolve("10.data.repair"), "nor is this");
    Files.writeString(directory.resolve("META"), "nor this");
    Files.createFile(directory.resolve("LOCK"));

    assertThat(read(false)).isEqualTo(Map.of("a", "new", "b", "4", "empty", "", "back", "9"));
  }

  @Test
  void whatARandomHistoryLeftIsWhatIsRead() throws IOException {
    Random random = new Random(42);
    Map<String, String> expected = new TreeMap<>();
    HaloFiles.Writer deletions = files.file();
    long sequence = 1;
    for (int number = 1; number <= 20; number++) {
      HaloFiles.Writer data = files.file();
      for (int i = 0; i < 500; i++) {
        String key = "key" + random.nextInt(3_000);
        if (random.nextInt(4) == 0) {
          deletions.delete(sequence++, key);
          expected.remove(key);
        } else {
          String value = "x".repeat(random.nextInt(50)) + i;
          data.put(sequence++, key, value);
          expected.put(key, value);
        }
      }
      data.write(number + (number % 3 == 0 ? ".datac" : ".data"));
    }
    deletions.write("1.tombstone");
    assertThat(read(false)).isEqualTo(expected);
  }

  @Test
  void tornEndsOfTheNewestFilesAreLeftOutAndNamed() throws IOException {
    files.file().put(1, "a", "1").write("1.data");
    files.file().put(2, "b", "2").put(3, "c", "value").write("2.data", 2);
    files.file().put(1, "a", "1").put(4, "d", "4").write("3.datac", 5);
    files.file().delete(5, "a").delete(6, "b").write("2.tombstone", 1);

    assertThat(read(false)).isEqualTo(Map.of("b", "2"));
    assertThat(leftOut)
        .hasSize(3)
        .anyMatch(end -> end.contains("2.data at byte 20 (22 bytes)"))
        .anyMatch(end -> end.contains("2.tombstone at byte 15 (14 bytes)"));

    // a power cut leaves zeros where nothing was written yet
    files.file().put(7, "e", "5").raw(new byte[5_000]).write("9.data");
    assertThatThrownBy(() -> read(false)) // 2.data is not the newest any more
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("2.data at byte 20 (22 bytes)");
    assertThat(read(true)).isEqualTo(Map.of("b", "2", "e", "5"));
  }

  @Test
  void damageIsToldWithItsPlaceAndTheRestIsReadOnlyIfThatIsAccepted() throws IOException {
    HaloFiles.Writer data = files.file().put(1, "first", "1");
    int second = data.size();
    data.put(2, "second", "a value of some length");
    int third = data.size();
    data.put(3, "third", "3").write("1.data");
    files.file().put(4, "other", "4").write("2.data");
    for (int at = second; at < third; at++) { // whichever byte it is, the lengths included
      files.flip("1.data", at);
      assertThatThrownBy(() -> read(false))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("1.data at byte %d (%d bytes)".formatted(second, third - second))
          .hasMessageContaining("--skip-bad");
      assertThat(read(true)).isEqualTo(Map.of("first", "1", "third", "3", "other", "4"));
      files.flip("1.data", at);
    }
    files.flip("1.data", 0); // at the very beginning
    files.flip("1.data", third + 4);
    assertThat(read(true)).isEqualTo(Map.of("second", "a value of some length", "other", "4"));
  }

  @Test
  void storeThatIsOpenInHaloDbIsRefused() throws IOException {
    files.file().put(1, "a", "1").write("1.data");
    Path lock = Files.createFile(directory.resolve("LOCK"));
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        var _ = channel.lock()) {
      assertThatThrownBy(() -> read(false))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("open in HaloDB");
    }
    assertThat(read(false)).hasSize(1);
  }

  private Map<String, String> read(boolean skipBad) {
    EntrySource source =
        Sources.open(
            directory.toString(),
            new SourceOptions(null, Columns.DEFAULT, true, skipBad),
            Engines.of(List.of()));
    Map<String, String> entries = new TreeMap<>();
    try (SourceReader reader = source.read()) {
      for (Item item = reader.next(); item != null; item = reader.next()) {
        String key = new String(item.key(), UTF_8);
        assertThat(entries.put(key, new String(item.value(), UTF_8))).as(key).isNull();
      }
      leftOut.clear();
      leftOut.addAll(reader.leftOut());
    }
    return entries;
  }
}
