package io.kvstadium.engine.h2file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a commit that a power cut has torn. */
class ChecksummedFilePathTest {
  private static final int BLOCK = 4096;
  private static final int VALUE = 40_000;

  @TempDir Path directory;

  /** The file as a crash leaves it after two commits. */
  private Path crashed;

  private static byte[] value(int seed) {
    byte[] value = new byte[VALUE];
    new Random(seed).nextBytes(value);
    return value;
  }

  private static MVStore open(String name) {
    MVStore store = new MVStore.Builder().fileName(name).autoCommitDisabled().open();
    store.setRetentionTime(0);
    return store;
  }

  private static MVStore open(Path file) {
    return open(ChecksummedFilePath.nameOf(file, true));
  }

  private static byte[] read(MVStore store) {
    MVMap<Integer, byte[]> map = store.openMap("map");
    return map.get(1);
  }

  @BeforeEach
  void crash() throws IOException {
    Path file = directory.resolve("file");
    crashed = directory.resolve("crashed");
    try (MVStore store = open(file)) {
      MVMap<Integer, byte[]> map = store.openMap("map");
      for (int seed = 1; seed <= 2; seed++) {
        map.put(1, value(seed));
        store.commit();
        store.sync();
      }
      Files.copy(file, crashed);
    }
  }

  /** Returns where a value's bytes are. */
  private static long find(Path file, byte[] value) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] piece = Arrays.copyOf(value, 100);
    for (int at = 0; at < bytes.length - piece.length; at++) {
      if (Arrays.equals(bytes, at, at + piece.length, piece, 0, piece.length)) {
        return at;
      }
    }
    throw new AssertionError("the value is not in the file");
  }

  /** Leaves out a sector in the middle of a commit, as if it had not reached the disk. */
  private void tear(byte[] value) throws IOException {
    long middle = find(crashed, value) + VALUE / 2;
    try (RandomAccessFile file = new RandomAccessFile(crashed.toFile(), "rw")) {
      file.seek(middle - middle % 512);
      file.write(new byte[512]);
    }
  }

  @Test
  void aWholeCommitIsThere() {
    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isEqualTo(value(2));
    }
  }

  @Test
  void aTornCommitIsNotThereButTheOneBeforeIs() throws IOException {
    tear(value(2));

    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isEqualTo(value(1));
      MVMap<Integer, byte[]> map = store.openMap("map");
      map.put(1, value(3));
    }
    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isEqualTo(value(3));
    }
  }

  /** Otherwise none of this would be needed. */
  @Test
  void mvStoreItselfTakesItForWhole() throws IOException {
    tear(value(2));

    try (MVStore store = open(crashed.toString())) {
      assertThat(read(store)).isNotEqualTo(value(1)).isNotEqualTo(value(2));
    }
  }

  @Test
  void whoeverMadeTheFileItIsRead() throws IOException {
    try (MVStore store = open(crashed.toString())) {
      assertThat(read(store)).isEqualTo(value(2));
      MVMap<Integer, byte[]> map = store.openMap("map");
      map.put(1, value(3));
      store.commit();
    }
    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isEqualTo(value(3));
    }
  }

  @Test
  void damageToAFileThatWasClosedIsNotTakenForACut() throws IOException {
    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isEqualTo(value(2));
      MVMap<Integer, byte[]> map = store.openMap("map");
      map.put(1, value(3));
    }
    tear(value(3));

    try (MVStore store = open(crashed)) {
      assertThat(read(store)).isNotEqualTo(value(2)).isNotEqualTo(value(3));
    }
  }

  /** Returns a chunk of two blocks, as MVStore writes it. */
  private static ByteBuffer chunk(int version) {
    ByteBuffer chunk = ByteBuffer.allocate(2 * BLOCK);
    String footer = "chunk:%x,len:2,version:%x,fletcher:1".formatted(version, version);
    chunk.put(
        chunk.limit() - 128, "%-127s\n".formatted(footer).getBytes(StandardCharsets.US_ASCII));
    return chunk;
  }

  private static boolean isThere(ChunkFile file, long block) throws IOException {
    ByteBuffer footer = ByteBuffer.allocate(128);
    file.read(footer, (block + 2) * BLOCK - 128);
    return footer.get(0) == 'c';
  }

  @Test
  void onlyTheNewestIsLookedAt() throws IOException {
    Path path = directory.resolve("chunks");
    try (ChunkFile file = new ChunkFile(path, "rw", true)) {
      file.write(chunk(1), 2 * BLOCK);
      file.write(chunk(2), 4 * BLOCK);
      file.write(chunk(3), 6 * BLOCK);
      for (int block = 2; block < 8; block += 2) {
        file.write(ByteBuffer.wrap(new byte[] {1}), block * BLOCK + 5);
      }
    }
    try (ChunkFile file = new ChunkFile(path, "r", true)) {
      assertThat(isThere(file, 6)).isFalse();
      assertThat(isThere(file, 2)).isFalse();
    }
    try (ChunkFile file = new ChunkFile(path, "rw", true)) {
      file.write(ByteBuffer.wrap(new byte[] {0}), 4 * BLOCK + 5);
      assertThat(isThere(file, 4)).isTrue();
      assertThat(isThere(file, 2)).isTrue(); // older: it was synced before the other was written
      assertThat(isThere(file, 6)).isFalse();
    }
    try (ChunkFile file = new ChunkFile(path, "rw", true)) {
      file.write(ByteBuffer.wrap(new byte[] {0}), 6 * BLOCK + 5);
      assertThat(isThere(file, 6)).isFalse(); // its footer was overwritten
    }
  }

  @Test
  void aFileOfTheLengthOfNothingIsNoChunk() throws IOException {
    try (ChunkFile file = new ChunkFile(directory.resolve("empty"), "rw", true)) {
      assertThat(file.write(ByteBuffer.allocate(0), 0)).isZero();
      assertThat(file.read(ByteBuffer.allocate(128), BLOCK - 128)).isNegative();
    }
    assertThatThrownBy(() -> new ChunkFile(directory.resolve("none"), "r", true))
        .isInstanceOf(IOException.class);
  }

  /** Otherwise a crash would bring back the state that the moved chunk belonged to. */
  @Test
  void anOldChunkThatIsMovedInAFileOfH2sOwnIsNotTheNewest() throws IOException {
    Path path = directory.resolve("foreign");
    Files.write(path, new byte[2 * BLOCK]);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(2 * BLOCK);
      file.write(chunk(5).array());
    }
    try (ChunkFile file = new ChunkFile(path, "rw", true)) {
      assertThat(isThere(file, 2)).isTrue();
      file.write(chunk(3), 4 * BLOCK);
      assertThat(Files.readAllBytes(path)[Pointers.AT]).isZero();
      file.write(chunk(6), 6 * BLOCK);
      assertThat(Files.readAllBytes(path)[Pointers.AT]).isNotZero();
    }
  }
}
