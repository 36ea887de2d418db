import io.kvstadium.store.Batch;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A store that its process left without a close, as after a kill, and how long the next open with
 * its first read takes. Run by reopen.sh, each step in a process of its own.
 *
 * <p>{@code fill}: entries of 132 bytes in the order of their keys, then a tenth as many updates
 * at random, and the end of the process in the middle of them. {@code open}: prints the times.
 */
final class Reopen {
  private static final int BATCH = 1_000;
  private static final int VALUE = 128;

  private Reopen() {}

  /**
   * @param args {@code fill} or {@code open}, the distribution's directory, the store's URL, and the
   *     number of entries
   */
  public static void main(String[] args) {
    Engines engines = Engines.inFolders(List.of(Path.of(args[1], "engines")));
    int entries = Integer.parseInt(args[3]);
    if (args[0].equals("fill")) {
      fill(engines.open(args[2], OpenOptions.DEFAULT), entries);
    } else {
      open(engines, args[2], entries);
    }
  }

  private static void fill(Store store, int entries) {
    SplittableRandom random = new SplittableRandom(1);
    Table<byte[], byte[]> table = store.table();
    byte[] value = new byte[VALUE];
    for (int i = 0; i < entries; i += BATCH) {
      int from = i;
      store.write(batch -> put(batch, table, from, Math.min(from + BATCH, entries), random));
    }
    for (int i = 0; i < entries / 10; i++) {
      random.nextBytes(value);
      table.put(key(random.nextInt(entries)), value);
    }
    Runtime.getRuntime().halt(0); // neither a close nor a shutdown hook
  }

  private static void put(
      Batch batch, Table<byte[], byte[]> table, int from, int to, SplittableRandom random) {
    for (int i = from; i < to; i++) {
      byte[] value = new byte[VALUE];
      random.nextBytes(value);
      batch.put(table, key(i), value);
    }
  }

  private static void open(Engines engines, String url, int entries) {
    long begin = System.nanoTime();
    try (Store store = engines.open(url, OpenOptions.DEFAULT)) {
      long opened = System.nanoTime();
      if (store.table().get(key(entries / 2)) == null) {
        throw new IllegalStateException("an entry is missing");
      }
      System.out.printf(
          "open %.0f ms, first get %.1f ms%n",
          (opened - begin) / 1e6, (System.nanoTime() - opened) / 1e6);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
