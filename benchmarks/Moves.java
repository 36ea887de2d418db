import io.kvstadium.store.Engines;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * What a move costs while it follows: puts and gets of a store that moves and of one that does not,
 * alternately in blocks, by the caller's time. Prints the median of the ratios of neighbouring
 * blocks. Run by moves.sh.
 */
final class Moves {
  private static final int KEYS = 100_000;
  private static final int BLOCK = 2_000;
  private static final int WARM_UP = 10;

  private final byte[][] keys = new byte[KEYS][];
  private final byte[][] values = new byte[1_000][100];
  private final SplittableRandom random = new SplittableRandom(1);
  private long read;

  private Moves() {
    for (int i = 0; i < KEYS; i++) {
      keys[i] = "key:%012d".formatted(i).getBytes(StandardCharsets.US_ASCII);
    }
    for (byte[] value : values) {
      random.nextBytes(value);
    }
  }

  /**
   * @param args the distribution's directory, a directory for the stores, how many blocks, and
   *     pairs of engines as {@code sqlite-rocksdb}
   */
  public static void main(String[] args) throws InterruptedException {
    Engines engines = Engines.inFolders(List.of(Path.of(args[0], "engines")));
    int blocks = Integer.parseInt(args[2]);
    for (String pair : args[3].split(",")) {
      String[] names = pair.split("-");
      Path at = Path.of(args[1], pair);
      Moves moves = new Moves();
      try (Store plain = engines.open(names[0] + ":" + at.resolve("plain"), OpenOptions.DEFAULT);
          Store moving =
              engines.open(
                  names[0] + ":" + at.resolve("old"),
                  OpenOptions.DEFAULT.moveTo(names[1] + ":" + at.resolve("new")))) {
        moves.compare(names[0], names[1], plain, moving, blocks);
      }
    }
  }

  private void compare(String from, String to, Store plain, Store moving, int blocks)
      throws InterruptedException {
    Table<byte[], byte[]> own = plain.table();
    Table<byte[], byte[]> moved = moving.table();
    for (byte[] key : keys) {
      own.put(key, values[0]);
      moved.put(key, values[0]);
    }
    while (moving.move().status().state() != Move.State.IN_STEP) {
      Thread.sleep(100);
    }
    double puts =
        ratio(blocks, i -> own.put(keys[i], value()), i -> moved.put(keys[i], value()));
    double gets =
        ratio(blocks, i -> read += own.get(keys[i]).length, i -> read += moved.get(keys[i]).length);
    Move.Status status = moving.move().status();
    System.out.printf(
        "%s to %s: put %.2f, get %.2f of its own time; pending at the end %d%n",
        from, to, puts, gets, status.pending());
    if (read == 0) {
      throw new IllegalStateException("nothing was read");
    }
  }

  /** Not the same as the one before: SQLite writes nothing for what does not change. */
  private byte[] value() {
    return values[random.nextInt(values.length)];
  }

  private double ratio(int blocks, IntConsumer own, IntConsumer moved) {
    double[] ratios = new double[blocks];
    for (int i = -WARM_UP; i < blocks; i++) {
      double ratio;
      if (i % 2 == 0) {
        double first = nanos(own);
        ratio = nanos(moved) / first;
      } else {
        double first = nanos(moved);
        ratio = first / nanos(own);
      }
      if (i >= 0) {
        ratios[i] = ratio;
      }
    }
    Arrays.sort(ratios);
    return ratios[blocks / 2];
  }

  private double nanos(IntConsumer call) {
    long begun = System.nanoTime();
    for (int i = 0; i < BLOCK; i++) {
      call.accept(random.nextInt(KEYS));
    }
    return System.nanoTime() - begun;
  }
}
