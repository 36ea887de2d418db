package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One side of a pair in one phase: as many threads as it asks for, each with its own blocks. A
 * single one is the caller's.
 */
final class Side implements AutoCloseable {
  /**
   * Blocks of several threads are longer: the threads must work for longer than they take to start.
   */
  private static final int SHARED_CAPACITY = 8 * Block.CAPACITY;

  private final String phase;
  private final Population population;
  private final List<Target> targets = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<OperationSource> feeds;
  private final ExecutorService threads;
  private final CyclicBarrier start;
  private final Tally tally = new Tally();

  /**
   * @param feeds one for each thread
   */
  Side(
      PhaseSpec spec,
      Workset workset,
      Target target,
      Population population,
      List<OperationSource> feeds) {
    this.phase = spec.name();
    this.population = population;
    this.feeds = List.copyOf(feeds);
    int capacity = feeds.size() == 1 ? Block.CAPACITY : SHARED_CAPACITY;
    for (int lane = 0; lane < feeds.size(); lane++) {
      targets.add(lane == 0 ? target : target.another());
      blocks.add(new Block(workset, spec.shape(), false, capacity));
    }
    this.start = new CyclicBarrier(feeds.size());
    this.threads =
        Executors.newFixedThreadPool(
            feeds.size(), Thread.ofPlatform().name(phase + " ", 0).factory());
  }

  /** The most operations of a turn. */
  int capacity() {
    return blocks.getFirst().capacity() * blocks.size();
  }

  /** The only block. */
  Block block() {
    return blocks.getFirst();
  }

  Tally tally() {
    return tally;
  }

  /**
   * Makes the next operations.
   *
   * @param size of all threads together
   */
  void fill(int size) {
    int count = blocks.size();
    for (int lane = 0; lane < count; lane++) {
      int share = size / count + (lane < size % count ? 1 : 0);
      blocks.get(lane).fill(share, feeds.get(lane), population.generations());
    }
  }

  /**
   * Runs what was made, and adds it up.
   *
   * @return nanoseconds per operation, from the first start to the last end
   */
  double run() {
    if (blocks.size() == 1) {
      run(0);
    } else {
      together();
    }
    long began = blocks.stream().mapToLong(Block::began).min().orElseThrow();
    long ended = blocks.stream().mapToLong(Block::ended).max().orElseThrow();
    long operations = 0;
    for (Block block : blocks) {
      tally.add(block, 0);
      operations += block.done();
    }
    tally.nanos += ended - began;
    return (double) (ended - began) / operations;
  }

  private void run(int lane) {
    Block block = blocks.get(lane);
    block.run(targets.get(lane), block.capacity(), System.nanoTime() + Long.MAX_VALUE / 4);
  }

  private void together() {
    List<Future<?>> runs = new ArrayList<>();
    for (int lane = 0; lane < blocks.size(); lane++) {
      int number = lane;
      runs.add(
          threads.submit(() -> {
            start.await(); // each thread of the pool takes one, since none ends before all began
            run(number);
            return null;
          }));
    }
    try {
      for (Future<?> run : runs) {
        run.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new TrialFailure("phase " + phase + ": " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialFailure("interrupted in phase " + phase, e);
    }
  }

  /** Checks what the last turn read. */
  void check() {
    for (Block block : blocks) {
      block.check(tally, population.generations());
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // of one target that all lanes share
  public void close() {
    threads.close();
    for (int lane = 1; lane < targets.size(); lane++) {
      if (targets.get(lane) != targets.getFirst()) {
        targets.get(lane).close();
      }
    }
  }
}
