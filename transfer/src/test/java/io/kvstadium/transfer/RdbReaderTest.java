package io.kvstadium.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads a file that redis-server 7.0.15 wrote; {@code rdb/README.md} lists its content. */
class RdbReaderTest {
  private static final byte[] FILE = file();

  private static byte[] file() {
    try (InputStream in = RdbReaderTest.class.getResourceAsStream("/rdb/redis-7.0.15.rdb")) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void readsStringsAndCountsTheRest() throws IOException {
    RdbReader reader = new RdbReader(new ByteArrayInputStream(FILE), false, 0);

    List<String> read = new ArrayList<>(FormatsTest.read(reader));

    assertThat(read)
        .containsExactlyInAnyOrder(
            entry("db0", "plain", "hello"),
            entry("db0", "small", "7"),
            entry("db0", "short", "-1000"),
            entry("db0", "int", "123456789"),
            entry("db0", "long", "12345678901234"),
            entry("db0", "packed", "abc".repeat(400)),
            entry("db0", "expiring", "later"),
            entry("db3", "elsewhere", "there"));
    assertThat(reader.leftOut())
        .containsExactly(
            "1 functions",
            "3 hashes",
            "3 lists",
            "3 sets",
            "3 sorted sets",
            "1 streams",
            "1 times at which strings expire");
  }

  @Test
  void timesOfExpiryAreKeptAsAnExpiringTableHasThem() throws IOException {
    RdbReader reader = new RdbReader(new ByteArrayInputStream(FILE), true, 0);

    assertThat(FormatsTest.read(reader))
        .contains(
            "db0 "
                + hex("expiring")
                + " ee"
                + String.format("%014x", 4_102_444_800_000L)
                + hex("later"),
            "db0 " + hex("plain") + " eeffffffffffffff" + hex("hello"));
  }

  /** What does not fit into an ExpiringTable's 56 bits is the nearest that does. */
  @ParameterizedTest
  @CsvSource({
    "0000000000000001, ffffffffffffff",
    "feffffffffffff7f, ffffffffffffff",
    "ffffffffffffff7f, ffffffffffffff",
    "fdffffffffffff00, fffffffffffffd"
  })
  void timesBeyondWhatATableHoldsAreItsLast(String time, String stored) throws IOException {
    byte[] file =
        HexFormat.of().parseHex(hex("REDIS0003") + "fc" + time + "00" + "016b" + "0176" + "ff");
    RdbReader reader = new RdbReader(new ByteArrayInputStream(file), true, 0);

    assertThat(FormatsTest.read(reader)).containsExactly("db0 6b ee" + stored + "76");
  }

  @Test
  void whatHasExpiredIsLeftOut() throws IOException {
    RdbReader reader = new RdbReader(new ByteArrayInputStream(FILE), false, Long.MAX_VALUE);

    assertThat(FormatsTest.read(reader)).hasSize(7);
    assertThat(reader.leftOut()).contains("1 expired strings");
  }

  @Test
  void aCutOrAWrongBitIsFoundAnywhere() {
    for (int i = 0; i < FILE.length; i++) {
      byte[] wrong = FILE.clone();
      wrong[i] ^= 0x10;
      byte[] cut = Arrays.copyOf(FILE, i);

      assertThatThrownBy(() -> readAll(wrong))
          .as("bit at " + i)
          .isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> readAll(cut)).as("cut at " + i).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void itIsImportedIntoATable() {
    try (Store store = Stadium.open("memory:")) {
      Imported imported =
          Import.run(
              Sources.of(new ByteArrayInputStream(FILE), Format.RDB), store, ImportOptions.DEFAULT);

      assertThat(imported.total().entries()).isEqualTo(8);
      assertThat(imported.verification()).isEqualTo(Imported.Verification.IDENTICAL);
      assertThat(store.table("db3").get("elsewhere".getBytes(StandardCharsets.UTF_8)))
          .isEqualTo("there".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<String> readAll(byte[] bytes) throws IOException {
    return FormatsTest.read(new RdbReader(new ByteArrayInputStream(bytes), false, 0));
  }

  private static String entry(String table, String key, String value) {
    return table + " " + hex(key) + " " + hex(value);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }
}
