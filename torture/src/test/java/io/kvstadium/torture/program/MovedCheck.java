package io.kvstadium.torture.program;

import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Whether both stores of {@link MovedProgram} have what they must have. */
final class MovedCheck {
  private MovedCheck() {}

  /**
   * Reads what was acknowledged, and ends with 1 and what is wrong if something is.
   *
   * @param arguments those of the program, and whether the last steps may be lost
   */
  public static void main(String[] arguments) throws IOException {
    long acknowledged = -1;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged = Math.max(acknowledged, Long.parseLong(line.strip()));
      }
    }
    String wrong = wrong(arguments, acknowledged);
    if (wrong != null) {
      System.out.println(wrong);
      System.exit(1);
    }
  }

  private static @Nullable String wrong(String[] arguments, long acknowledged) {
    String asked = arguments[acknowledged % 2 == 0 ? 1 : 2]; // either leads to both
    try (Store store =
        Stadium.open(
            MovedProgram.url(Path.of(arguments[0]), asked),
            OpenOptions.DEFAULT.createIfMissing(false))) {
      long step = MovedProgram.step(store);
      if (step < acknowledged && !Boolean.parseBoolean(arguments[3])) {
        return "acknowledged " + acknowledged + ", found " + step;
      }
      MoveModel model = new MoveModel(MovedProgram.SEED);
      for (long i = 0; i < step; i++) {
        model.step(null);
      }
      Map<String, NavigableMap<String, String>> before = new TreeMap<>();
      model.tables().forEach((name, entries) -> before.put(name, new TreeMap<>(entries)));
      if (step >= 0) {
        model.step(null);
      }
      Map<String, NavigableMap<String, String>> there = MoveModel.contents(store);
      there.remove("steps");
      String wrong =
          step == acknowledged && !there.equals(model.tables())
              ? "step " + step + " was acknowledged, and is not done"
              : between(before, there, model.tables());
      return wrong == null ? other(store, there) : wrong;
    } catch (StadiumException e) {
      return acknowledged < 0 ? null : String.valueOf(e.getMessage());
    }
  }

  /** Each entry is as it was before or after the last step. */
  private static @Nullable String between(
      Map<String, NavigableMap<String, String>> before,
      Map<String, NavigableMap<String, String>> there,
      Map<String, NavigableMap<String, String>> after) {
    Set<String> names = new HashSet<>(before.keySet());
    names.addAll(there.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      NavigableMap<String, String> had = before.getOrDefault(name, new TreeMap<>());
      NavigableMap<String, String> has = there.getOrDefault(name, new TreeMap<>());
      NavigableMap<String, String> gets = after.getOrDefault(name, new TreeMap<>());
      Set<String> keys = new HashSet<>(had.keySet());
      keys.addAll(has.keySet());
      keys.addAll(gets.keySet());
      for (String key : keys) {
        String value = has.get(key);
        if (!Objects.equals(value, had.get(key)) && !Objects.equals(value, gets.get(key))) {
          return "table %s key %s is %s, not %s or %s"
              .formatted(name, key, value, had.get(key), gets.get(key));
        }
      }
    }
    return null;
  }

  /** Whether the store that follows has the same. */
  private static @Nullable String other(
      Store store, Map<String, NavigableMap<String, String>> there) {
    Move move = store.move();
    if (move == null) {
      return null; // not begun
    }
    while (Set.of(Move.State.CHECKING, Move.State.COPYING).contains(move.status().state())) {
      if (move.status().problem() != null) {
        return move.status().problem();
      }
      LockSupport.parkNanos(1_000_000);
    }
    MovedProgram.exchange(move, true);
    Map<String, NavigableMap<String, String>> moved = MoveModel.contents(store);
    moved.remove("steps");
    return moved.equals(there) ? null : "after the change-over other entries are there";
  }
}
