package io.kvstadium.engine.h2file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Successive power cuts on the same file, on a disk that may lose any of the sectors written since
 * the last sync: after each cut, what was synced is there, and nothing older.
 */
@Tag("full")
class PowerCutTest {
  private static final int SECTOR = 512;
  private static final int CHAINS = 60;
  private static final int KEYS = 60;

  @TempDir Path directory;

  /** What has happened to a file; its process dies after some writes and syncs. */
  private static final class Disk {
    private final Path path;
    private final List<Change> unsynced = new ArrayList<>();
    private byte[] durable = {};
    private int left;

    Disk(Path path) {
      this.path = path;
    }

    boolean isDead() {
      return left == 0;
    }

    void step() throws IOException {
      if (isDead()) {
        throw new IOException("the process is dead");
      }
      left--;
    }

    /** The disk keeps some of what was not synced, and the process may start again. */
    void cut(Random random) throws IOException {
      double kept = List.of(0.1, 0.5, 0.9).get(random.nextInt(3));
      for (Change change : unsynced) {
        durable = change.apply(durable, () -> random.nextDouble() < kept);
      }
      unsynced.clear();
      Files.write(path, durable);
    }
  }

  private interface Chance {
    boolean comes();
  }

  /** A write, or a truncation if there are no bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Change(long at, byte @Nullable [] bytes) {
    byte[] apply(byte[] file, Chance chance) {
      if (bytes == null) {
        return chance.comes() ? Arrays.copyOf(file, (int) Math.min(file.length, at)) : file;
      }
      byte[] changed = file;
      for (int i = 0, length; i < bytes.length; i += length) {
        long from = at + i;
        length = (int) Math.min(bytes.length - i, SECTOR - from % SECTOR);
        if (chance.comes()) {
          changed = Arrays.copyOf(changed, (int) Math.max(changed.length, from + length));
          System.arraycopy(bytes, i, changed, (int) from, length);
        }
      }
      return changed;
    }
  }

  /** Reports to the disk what is done. */
  private static final class LossyFile extends ChunkFile {
    private final Disk disk;

    LossyFile(Disk disk, String mode) throws IOException {
      super(disk.path, mode, true);
      this.disk = disk;
    }

    @Override
    protected synchronized int put(ByteBuffer from, long at) throws IOException {
      byte[] bytes = new byte[from.remaining()];
      from.get(from.position(), bytes);
      disk.unsynced.add(new Change(at, bytes));
      disk.step();
      return super.put(from, at);
    }

    @Override
    protected synchronized void implTruncate(long size) throws IOException {
      disk.step();
      disk.unsynced.add(new Change(size, null));
      super.implTruncate(size);
    }

    @Override
    public synchronized void force(boolean metaData) throws IOException {
      disk.step();
      super.force(metaData);
      disk.durable = Files.readAllBytes(disk.path);
      disk.unsynced.clear();
    }
  }

  /** Opens a file of the present disk for MVStore, which makes these objects itself. */
  public static final class LossyPath extends FilePathWrapper {
    private static @Nullable Disk disk;

    /** For H2. */
    public LossyPath() {}

    @Override
    public String getScheme() {
      return "lossy";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      if (disk == null) {
        throw new IOException("there is no disk");
      }
      return new LossyFile(disk, mode);
    }
  }

  @Test
  void nothingThatWasSyncedIsLost() throws IOException {
    FilePath.register(new LossyPath());
    for (int seed = 0; seed < CHAINS; seed++) {
      new Chain(new Disk(Files.createFile(directory.resolve("file" + seed))), seed).run();
    }
  }

  /** The lives of one file. */
  private static final class Chain {
    private final Disk disk;
    private final int seed;
    private final Random random;

    /** What the file held after each commit. */
    private final List<Map<Integer, String>> states = new ArrayList<>(List.of(Map.of()));

    private int synced;

    Chain(Disk disk, int seed) {
      this.disk = disk;
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() throws IOException {
      LossyPath.disk = disk;
      disk.left = 100; // for making the file and a few commits before the first cut
      for (int lives = 2 + random.nextInt(8); lives > 0; lives--) {
        MVStore store = null;
        try {
          store = open();
          check(store);
          copy(store);
          live(store);
        } catch (MVStoreException | IllegalStateException e) {
          assertThat(disk.isDead()).describedAs("seed %d: %s", seed, e).isTrue();
        } finally {
          if (store != null) {
            store.closeImmediately();
          }
        }
        disk.cut(random);
        disk.left = random.nextInt(4) == 0 ? random.nextInt(8) : random.nextInt(400);
      }
      disk.left = Integer.MAX_VALUE;
      MVStore store = open();
      check(store);
      store.closeImmediately();
    }

    private MVStore open() {
      return open("lossy:" + disk.path);
    }

    private static MVStore open(String name) {
      MVStore store =
          new MVStore.Builder()
              .fileName(name)
              .autoCommitDisabled()
              .autoCommitBufferSize(0)
              .pageSplitSize(SECTOR)
              .keysPerPage(8)
              .open();
      store.setRetentionTime(0);
      return store;
    }

    private void check(MVStore store) {
      Map<Integer, String> found = new TreeMap<>(store.openMap("map"));
      int state = states.lastIndexOf(found);
      assertThat(state)
          .describedAs("seed %d, where %d of %d were synced", seed, synced, states.size() - 1)
          .isGreaterThanOrEqualTo(synced);
      states.subList(state + 1, states.size()).clear();
      synced = state;
    }

    /** Checks that what is found after a crash can be copied at once. */
    private void copy(MVStore store) throws IOException {
      Path path = disk.path.resolveSibling("copy");
      FileCopy.of(store).to(path);
      MVStore copy = open(ChecksummedFilePath.nameOf(path, true));
      assertThat(new TreeMap<>(copy.<Integer, String>openMap("map")))
          .describedAs("seed %d", seed)
          .isEqualTo(states.getLast());
      copy.closeImmediately();
    }

    private void live(MVStore store) {
      MVMap<Integer, String> map = store.openMap("map");
      Map<Integer, String> now = new TreeMap<>(states.getLast());
      for (int commits = random.nextInt(150); commits > 0; commits--) {
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          int key = random.nextInt(KEYS);
          if (random.nextInt(4) == 0) {
            map.remove(key);
            now.remove(key);
          } else {
            int length = random.nextInt(random.nextInt(20) == 0 ? 6_000 : 300);
            String value = random.nextLong() + "x".repeat(length);
            map.put(key, value);
            now.put(key, value);
          }
        }
        states.add(new TreeMap<>(now));
        store.commit();
        store.sync();
        synced = states.size() - 1;
        if (random.nextInt(10) == 0 && store.compact(80, 1 << 20) && store.commit() >= 0) {
          store.sync();
        }
      }
      switch (random.nextInt(4)) {
        case 0 -> store.close(60_000); // and moves chunks
        case 1 -> store.close();
        default -> store.closeImmediately();
      }
    }
  }
}
