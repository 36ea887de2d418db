package io.kvstadium.transfer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported;
import io.kvstadium.transfer.source.Sources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A dump that is cut off or has a flipped bit is always detected, with the place. */
class DamagedDumpTest {
  private static final Pattern PLACE =
      Pattern.compile("damaged dump: block \\d+ at byte (\\d+): .*", Pattern.DOTALL);

  private static final Pattern IMPORTED = Pattern.compile("Imported up to there: (\\d+) entr");

  private static final int ENTRIES = 60;

  /** Blocks of about 200 bytes, compressed and not, of two tables. */
  private static final byte[] DUMP = dump();

  private static byte[] dump() {
    Random random = new Random(1);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      byte[] value = new byte[50];
      if (i % 20 < 10) {
        random.nextBytes(value);
      }
      items.add(new Item(i < 30 ? "a" : "b", ByteBuffer.allocate(4).putInt(i).array(), value));
    }
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FormatsTest.write(new DumpWriter(out, 200), items);
      return out.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Property(tries = 300)
  void aWrongBitIsFound(
      @ForAll @IntRange(min = 0, max = 1_000_000) int place,
      @ForAll @IntRange(min = 0, max = 7) int bit) {
    byte[] damaged = DUMP.clone();
    int at = place % damaged.length;
    damaged[at] ^= (byte) (1 << bit);

    found(damaged, at);
  }

  @Property(tries = 300)
  void aCutIsFound(@ForAll @IntRange(min = 0, max = 1_000_000) int length) {
    int end = length % DUMP.length;

    found(Arrays.copyOf(DUMP, end), end);
  }

  @Example
  void whatFollowsTheTrailerIsFound() {
    found(Arrays.copyOf(DUMP, DUMP.length + 1), DUMP.length);
  }

  @Example
  void theWholeIsImported() {
    try (Store store = Stadium.open("memory:")) {
      Imported imported = load(DUMP, store);

      assertThat(imported.total().entries()).isEqualTo(ENTRIES);
      assertThat(imported.verification()).isEqualTo(Imported.Verification.IDENTICAL);
    }
  }

  private static void found(byte[] damaged, int at) {
    try (Store store = Stadium.open("memory:")) {
      Throwable thrown = catchThrowable(() -> load(damaged, store));

      assertThat(thrown).isInstanceOf(CorruptException.class);
      long entries = store.tables().stream().mapToLong(name -> store.table(name).count()).sum();
      Matcher place = PLACE.matcher(thrown.getMessage());
      if (at < DumpFormat.FILE_HEADER) {
        assertThat(entries).isZero();
        return;
      }
      assertThat(place.matches()).as(thrown.getMessage()).isTrue();
      assertThat(Integer.parseInt(place.group(1))).isLessThanOrEqualTo(at);
      Matcher imported = IMPORTED.matcher(thrown.getMessage());
      assertThat(imported.find()).isTrue();
      assertThat(entries).isEqualTo(Long.parseLong(imported.group(1))).isLessThanOrEqualTo(ENTRIES);
    }
  }

  private static Imported load(byte[] dump, Store store) {
    return Import.run(
        Sources.of(new ByteArrayInputStream(dump), Format.DUMP), store, ImportOptions.DEFAULT);
  }
}
