package io.kvstadium.engine.lmdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without the looks, most of these end the process of the tests. */
final class CheckedPagesTest {
  private static final int PAGE = 4096;
  private static final int ENTRIES = 5_000;
  private static final OpenOptions READ = OpenOptions.DEFAULT.readOnly(true);

  private final Random random = new Random(Long.getLong("stadium.seed", 1));
  @TempDir Path directory;

  @Test
  void whatIsNotDamagedIsReadAsWithoutLooking() {
    NavigableMap<String, Integer> model = fill();

    try (Store store = open();
        Snapshot snapshot = store.snapshot()) {
      for (TableReader<byte[], byte[]> table : List.of(store.table(), snapshot.on(store.table()))) {
        assertThat(read(table, Range.all())).isEqualTo(List.copyOf(model.keySet()));
        assertThat(read(table, Range.<byte[]>all().reverse()))
            .isEqualTo(List.copyOf(model.descendingKeySet()));
        for (int i = 0; i < 1_000; i++) {
          String key = key(random.nextInt(ENTRIES + 100)) + (random.nextBoolean() ? "" : "x");
          byte[] value = table.get(key.getBytes(US_ASCII));
          assertThat(value == null ? null : value.length).isEqualTo(model.get(key));
          assertThat(read(table, Range.atLeast(key.getBytes(US_ASCII)).limit(3)))
              .isEqualTo(model.tailMap(key).keySet().stream().limit(3).toList());
          assertThat(read(table, Range.atMost(key.getBytes(US_ASCII)).reverse().limit(3)))
              .isEqualTo(model.headMap(key, true).descendingKeySet().stream().limit(3).toList());
        }
      }
    }
  }

  @Test
  void aPageOfSomethingElseEndsTheReadingAndNothingMore() throws IOException {
    damaged(
        40,
        page -> {
          byte[] bytes = new byte[PAGE];
          random.nextBytes(bytes);
          return new Damage(page * (long) PAGE, bytes);
        });
  }

  @Test
  void soDoFieldsOfAPageThatAreOverwritten() throws IOException {
    damaged(
        120,
        page -> {
          byte[] bytes = new byte[1 + random.nextInt(4)];
          random.nextBytes(bytes);
          return new Damage(page * (long) PAGE + random.nextInt(100), bytes);
        });
  }

  @Test
  void soDoesAFileThatIsCutShort() throws IOException {
    fill();
    Path file = directory.resolve("data.mdb");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / PAGE / 2 * PAGE);
    }

    assertThatThrownBy(
            () -> {
              try (Store store = open()) {
                read(store.table(), Range.all());
              }
            })
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("data.mdb");
  }

  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  private record Damage(long offset, byte[] bytes) {}

  private void damaged(int rounds, IntFunction<Damage> damage) throws IOException {
    List<String> whole = List.copyOf(fill().keySet());
    Path file = directory.resolve("data.mdb");
    int found = 0;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int pages = Math.toIntExact(Files.size(file) / PAGE);
      for (int i = 0; i < rounds; i++) {
        Damage done = damage.apply(2 + random.nextInt(pages - 2));
        ByteBuffer before = ByteBuffer.allocate(done.bytes().length);
        channel.read(before, done.offset());
        channel.write(ByteBuffer.wrap(done.bytes()), done.offset());

        found += reads(whole) ? 0 : 1;

        channel.write(before.flip(), done.offset());
      }
    }
    assertThat(found).as("damages that were seen").isGreaterThan(rounds / 8);
    assertThat(reads(whole)).as("the file as it was").isTrue();
  }

  /** Whether everything could be read; otherwise what could be is right. */
  private boolean reads(List<String> whole) {
    try (Store store = open()) {
      Table<byte[], byte[]> table = store.table();
      boolean all = from(table, Range.all(), whole);
      all &= from(table, Range.<byte[]>all().reverse(), whole.reversed());
      for (int i = 0; i < 20; i++) {
        try {
          table.get(whole.get(random.nextInt(whole.size())).getBytes(US_ASCII));
        } catch (CorruptException e) {
          all = false;
        }
      }
      return all;
    } catch (CorruptException e) {
      return false; // the tables' names cannot be read
    }
  }

  private static boolean from(
      Table<byte[], byte[]> table, Range<byte[]> range, List<String> expected) {
    int count = 0;
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        cursor.value(value -> value.byteSize());
        count++;
      }
      return count == expected.size();
    } catch (StadiumException e) {
      assertThat(count).isLessThan(expected.size());
      return false;
    }
  }

  private static List<String> read(TableReader<byte[], byte[]> table, Range<byte[]> range) {
    List<String> keys = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), US_ASCII));
      }
    }
    return keys;
  }

  /** Three levels of pages, values with pages of their own, free pages, and a second table. */
  private NavigableMap<String, Integer> fill() {
    NavigableMap<String, Integer> model = new TreeMap<>();
    try (Store store = Stadium.open("lmdb:" + directory)) {
      Table<byte[], byte[]> table = store.table();
      store.write(batch -> {
        for (int i = 0; i < ENTRIES; i++) {
          int length = i % 500 == 0 ? 10_000 : 20 + i % 50;
          batch.put(table, key(i).getBytes(US_ASCII), new byte[length]);
          model.put(key(i), length);
        }
      });
      store.write(batch -> {
        for (int i = 0; i < ENTRIES; i += 7) {
          batch.delete(table, key(i).getBytes(US_ASCII));
          model.remove(key(i));
        }
      });
      store.table("other").put(new byte[] {1}, new byte[] {2});
    }
    return model;
  }

  private Store open() {
    return Stadium.open("lmdb:" + directory + "?check_pages=true", READ);
  }

  private static String key(int number) {
    return "%08d".formatted(number) + "-".repeat(80);
  }
}
