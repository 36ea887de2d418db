package io.kvstadium.conformance;

import io.kvstadium.store.Stadium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** Random sequences of operations against sorted maps that cannot be wrong; run by jqwik. */
abstract class RandomOperations {
  abstract String url(Path directory);

  abstract @Nullable String unavailable();

  @Property(tries = 30)
  final void storeBehavesLikeSortedMaps(@ForAll("operations") List<Operation> operations)
      throws IOException {
    if (unavailable() != null) {
      return; // to abort would make a failure of it; the other tests say why they are skipped
    }
    Path directory = Files.createTempDirectory("conformance");
    String url = url(directory.resolve("store"));
    try (ModelledStore store = new ModelledStore(() -> Stadium.open(url))) {
      for (Operation operation : operations) {
        store.apply(operation);
      }
      store.check();
    } finally {
      remove(directory);
    }
  }

  private static void remove(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(directory)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Provide
  final Arbitrary<List<Operation>> operations() {
    // Uniform, since short sequences, which jqwik prefers, find little.
    return operation().list().ofMaxSize(80).withSizeDistribution(RandomDistribution.uniform());
  }

  private static Arbitrary<Operation> operation() {
    Arbitrary<Integer> table = Arbitraries.of(0, 0, 0, 1);
    Arbitrary<String> key = key();
    Arbitrary<Integer> length = Arbitraries.of(0, 1, 3, 20, 20, 100, 5_000);
    Arbitrary<Operation.Put> put = Combinators.combine(table, key, length).as(Operation.Put::new);
    Arbitrary<Operation.Delete> delete = Combinators.combine(table, key).as(Operation.Delete::new);
    Arbitrary<List<Operation.Change>> changes =
        Arbitraries.frequencyOf(Tuple.of(3, put), Tuple.of(1, delete))
            .map(change -> (Operation.Change) change)
            .list()
            .ofMaxSize(6);
    Arbitrary<Operation> scan =
        Combinators.combine(
                table,
                key.injectNull(0.3),
                key.injectNull(0.3),
                Arbitraries.integers().between(0, 7),
                Arbitraries.of(0L, 1L, 3L, Long.MAX_VALUE))
            .as(Operation.Scan::new);
    return Arbitraries.frequencyOf(
        Tuple.of(12, put),
        Tuple.of(5, delete),
        Tuple.of(3, Combinators.combine(table, key).as(Operation.Get::new)),
        Tuple.of(4, changes.map(Operation.Batch::new)),
        Tuple.of(
            4,
            Combinators.combine(changes, Arbitraries.of(true, true, false), Arbitraries.of(0, 1))
                .as(Operation.Transact::new)),
        Tuple.of(8, scan),
        Tuple.of(2, Arbitraries.just(new Operation.TakeSnapshot())),
        Tuple.of(2, Arbitraries.just(new Operation.CheckSnapshot())),
        Tuple.of(1, table.map(Operation.Clear::new)),
        Tuple.of(1, Arbitraries.just(new Operation.DropSecond())),
        Tuple.of(1, Arbitraries.just(new Operation.Reopen())));
  }

  /** Few different keys, so that they meet; of bytes at which orders go wrong. */
  private static Arbitrary<String> key() {
    return Arbitraries.of("00", "61", "80", "ff")
        .list()
        .ofMinSize(1)
        .ofMaxSize(2)
        .map(parts -> String.join("", parts));
  }
}
