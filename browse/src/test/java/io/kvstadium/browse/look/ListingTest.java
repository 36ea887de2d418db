package io.kvstadium.browse.look;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingTest {
  private static final Engines ENGINES = Engines.installed();
  private static final int ENTRIES = 50_000;
  private static final int PAGE = 4096;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb"})
  void ofADamagedStoreIsShownWhatCanBeReadFromEitherEnd(String engine) throws IOException {
    Path place = folder.resolve("store");
    try (Store store = ENGINES.open(engine + ":" + place, OpenOptions.DEFAULT)) {
      store
          .table()
          .bulkLoad(
              IntStream.range(0, ENTRIES)
                  .mapToObj(i -> new Entry<>("%08d".formatted(i).getBytes(UTF_8), new byte[200]))
                  .iterator(),
              true);
    }
    damageTheMiddle(place);

    try (Opened opened = Opened.open(place.toString(), ENGINES, false, _ -> {})) {
      Table<byte[], byte[]> table = opened.store().table();
      Listing.Page forwards = Listing.read(table, Range.all(), ENTRIES);
      Listing.Page backwards = Listing.read(table, Range.<byte[]>all().reverse(), ENTRIES);

      Sample sample =
          Sample.of(table, Range.all(), 4_000, System.nanoTime() + 60_000_000_000L, true);

      assertThat(sample.count()).as("by a sample").isBetween(ENTRIES / 2.0, ENTRIES * 2.0);
      assertThat(forwards.damage()).isNotNull();
      assertThat(forwards.entries().size()).isBetween(ENTRIES / 4, ENTRIES * 3 / 4);
      assertThat(forwards.entries().getFirst().key()).isEqualTo("00000000".getBytes(UTF_8));
      assertThat(backwards.damage()).isNotNull();
      assertThat(backwards.entries().getLast().key()).isEqualTo("00049999".getBytes(UTF_8));
      assertThat(forwards.entries().size() + backwards.entries().size()).isLessThan(ENTRIES);
    }
  }

  private static void damageTheMiddle(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      Path largest =
          files
              .filter(file -> file.toString().matches(".*[.](sst|mdb)"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
      try (FileChannel channel = FileChannel.open(largest, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[64]), channel.size() / 2 / PAGE * PAGE);
      }
    }
  }
}
