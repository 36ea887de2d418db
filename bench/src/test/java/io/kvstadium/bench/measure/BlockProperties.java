package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.operation.Slots;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What the generations say is what the target holds, wherever time ran out. */
class BlockProperties {
  @Property(tries = 500)
  void generationsAndTargetAgree(
      @ForAll @IntRange(min = 1, max = 60) int records,
      @ForAll @IntRange(min = 1, max = Block.CAPACITY) int count,
      @ForAll @IntRange(min = 1, max = Block.CAPACITY) int chunk,
      @ForAll @IntRange(min = 0, max = 5) int step,
      @ForAll long seed) {
    // given a loaded target
    Workset workset = Bench.data(records).workset(seed);
    MapTarget target = new MapTarget();
    for (int i = 0; i < records; i++) {
      target.put(workset.key(i), workset.value(i, 0));
    }
    Generations generations = new Generations(records);
    Operation[] operations = {Operation.UPDATE, Operation.MIXED, Operation.DELETE};
    var indexes = Distribution.parse("uniform").over(records, seed, seed);

    // when blocks are cut off after their first chunk
    for (int round = 0; round < 3; round++) {
      Operation operation = operations[(step + round) % operations.length];
      Map<Operation, Double> mix =
          operation == Operation.MIXED ? Specs.mix(0.3) : Map.of(operation, 1.0);
      OperationSource source = Bench.feed(mix, indexes, records, seed + round);
      Slots slots =
          new Slots(workset, generations, Shape.SINGLE, null, null, false, Block.CAPACITY);
      Block block = new Block(slots, mix.keySet(), chunk, false);
      int _ = block.fill(count, source);
      assertThat(block.run(target, System.nanoTime() - 1, () -> false)).isFalse();
      Checks checks = new Checks();
      block.check(checks);
      assertThat(block.done()).isEqualTo(Math.min(count, chunk));
      assertThat(block.timed()).isEqualTo(1);
      if (round == step % 3) { // the rest later
        assertThat(block.run(target, Long.MAX_VALUE, () -> false)).isTrue();
        block.check(checks);
        assertThat(block.done()).isEqualTo(Math.max(0, count - chunk));
        assertThat(block.isSpent()).isTrue();
      }
      block.undo(source);
      assertThat(checks.firstWrong).isNull();
      assertThat(checks.misses).isZero();
    }

    // then
    for (int i = 0; i < records; i++) {
      byte[] value = target.entries.get(workset.key(i));
      if (generations.get(i) == Generations.DELETED) {
        assertThat(value).isNull();
      } else {
        assertThat(value).isEqualTo(workset.value(i, generations.get(i)));
      }
    }
  }
}
