package io.kvstadium.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What a cut leaves of files, names and pages. */
class LossyFilesTest {
  private final LossyFiles files = new LossyFiles();

  private LossyFiles.Node file(String path) {
    return Objects.requireNonNull(files.find(path));
  }

  private void write(String path, int value, int length, long offset) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) value);
    file(path).write(ByteBuffer.wrap(bytes), length, offset);
  }

  private byte[] read(String path) {
    LossyFiles.Node file = file(path);
    ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
    assertThat(file.read(bytes, file.size(), 0)).isEqualTo((int) file.size());
    return bytes.array();
  }

  @Property(tries = 100)
  void whatWasSyncedIsThere(@ForAll long seed) {
    LossyFiles own = new LossyFiles();
    own.create("/a", false, 0644).write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 3, 5_000);
    Objects.requireNonNull(own.find("/a")).sync();
    Objects.requireNonNull(own.find("/")).sync();

    own.cut(new SplittableRandom(seed));

    ByteBuffer bytes = ByteBuffer.allocate(5_003);
    Objects.requireNonNull(own.find("/a")).read(bytes, 5_003, 0);
    assertThat(bytes.array()).endsWith(0, 1, 2, 3);
  }

  @Test
  void whatWasNotSyncedMayBeThereOrNotOrInPart() {
    Set<List<Byte>> seen = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      LossyFiles own = new LossyFiles();
      LossyFiles.Node file = own.create("/a", false, 0644);
      Objects.requireNonNull(own.find("/")).sync();
      byte[] page = new byte[LossyFiles.PAGE];
      java.util.Arrays.fill(page, (byte) 1);
      file.write(ByteBuffer.wrap(page), page.length, 0);
      file.sync();
      java.util.Arrays.fill(page, (byte) 2);
      file.write(ByteBuffer.wrap(page), page.length, 0);

      own.cut(new SplittableRandom(seed));

      ByteBuffer left = ByteBuffer.allocate(LossyFiles.PAGE);
      file.read(left, LossyFiles.PAGE, 0);
      seen.add(List.of(left.get(0), left.get(LossyFiles.PAGE - 1)));
    }
    assertThat(seen)
        .contains(
            List.of((byte) 1, (byte) 1), List.of((byte) 2, (byte) 2), List.of((byte) 1, (byte) 2));
  }

  @Test
  void aNameIsLostUnlessItsDirectoryWasSynced() {
    boolean lost = false;
    boolean kept = false;
    for (int seed = 0; seed < 50; seed++) {
      LossyFiles own = new LossyFiles();
      own.create("/a", false, 0644).sync();
      own.cut(new SplittableRandom(seed));
      lost |= own.find("/a") == null;
      kept |= own.find("/a") != null;
    }
    assertThat(lost).isTrue();
    assertThat(kept).isTrue();
  }

  @Property(tries = 100)
  void aRenameIsWholeOrNotAtAll(@ForAll long seed) {
    LossyFiles own = new LossyFiles();
    LossyFiles.Node old = own.create("/current", false, 0644);
    LossyFiles.Node next = own.create("/next", false, 0644);
    Objects.requireNonNull(own.find("/")).sync();
    own.rename("/next", "/current");

    own.cut(new SplittableRandom(seed));

    assertThat(own.find("/current")).isIn(old, next);
    assertThat(own.find("/next") == null).isEqualTo(own.find("/current") == next);
  }

  @Test
  void filesAreFiles() {
    files.create("/d", true, 0755);
    files.create("/d/a", false, 0600);
    write("/d/a", 7, 10_000, 1_000);

    assertThat(read("/d/a")).hasSize(11_000).startsWith(0, 0).endsWith(7, 7);
    file("/d/a").truncate(5_000);
    file("/d/a").truncate(9_000);
    byte[] bytes = read("/d/a");
    assertThat(bytes[4_999]).isEqualTo((byte) 7);
    assertThat(bytes[5_000]).isZero();
    assertThat(bytes[8_999]).isZero();
    files.rename("/d/a", "/b");
    assertThat(file("/d").names()).isEmpty();
    assertThat(file("/").names()).containsExactly("b", "d");
    files.remove("/b");
    assertThat(files.find("/b")).isNull();
  }

  @Test
  void aFileOfManyUnsyncedRangesHidesNoOther() {
    files.create("/index", false, 0644);
    files.create("/log", false, 0644);
    file("/").sync();
    for (int i = 0; i < 20; i++) {
      write("/index", 1, 1, 2L * i * LossyFiles.PAGE);
    }
    write("/log", 1, 6_000, 0);

    assertThat(files.unsynced())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("index: ") && line.contains("19"))
        .anyMatch(line -> line.startsWith("log: ") && line.contains("6,000"));
  }
}
