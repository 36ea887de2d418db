package io.kvstadium.torture.program;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes one step after the other while its store moves, over and back and so on; prints the number
 * of each step that is done. Before a step it writes its number down, so that it is known how far a
 * store came.
 */
final class MovedProgram {
  static final long SEED = 7;
  private static final int STEPS = 3_000;
  private static final byte[] KEY = {'n'};

  private MovedProgram() {}

  /**
   * Takes its steps.
   *
   * @param arguments the directory, the URLs of the old and the new store in it without the
   *     directory, such as {@code sqlite:old?durability=power}
   */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    try (Store store =
        Stadium.open(
            url(directory, arguments[1]),
            OpenOptions.DEFAULT.moveTo(url(directory, arguments[2])))) {
      long first = Math.max(0, step(store));
      MoveModel model = new MoveModel(SEED);
      for (long i = 0; i < first; i++) {
        model.step(null);
      }
      Move move = Objects.requireNonNull(store.move());
      Thread.ofPlatform().daemon().start(() -> change(move));
      Table<byte[], byte[]> steps = store.table("steps");
      for (long i = first; i < first + STEPS; i++) {
        steps.put(KEY, Long.toString(i).getBytes(US_ASCII));
        model.step(store);
        System.out.println(i);
      }
    }
  }

  static String url(Path directory, String url) {
    return url.replaceFirst(":", ":" + directory + "/");
  }

  /** The step that was begun last, or -1. */
  static long step(Store store) {
    byte[] number = store.table("steps").get(KEY);
    return number == null ? -1 : Long.parseLong(new String(number, US_ASCII));
  }

  private static void change(Move move) {
    while (true) {
      try {
        exchange(move, false);
      } catch (ClosedException e) {
        return;
      } catch (StadiumException e) {
        LockSupport.parkNanos(1_000_000); // not in step yet
      }
    }
  }

  static void exchange(Move move, boolean verify) {
    Duration wait = Duration.ofSeconds(20);
    var _ =
        move.status().state() == Move.State.OVER
            ? move.back(wait, verify)
            : move.over(wait, verify);
  }
}
