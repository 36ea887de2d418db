package io.kvstadium.bench.suite;

import io.kvstadium.store.Capability;
import java.util.List;

/**
 * What {@link Operation#REPLAY} repeats.
 *
 * @param trace the file, absolute
 * @param needs what a store must be able to do
 * @param perSecond how many operations a second there were when it was recorded
 */
public record Replay(String trace, List<Capability> needs, double perSecond) {
  public Replay {
    needs = List.copyOf(needs);
  }
}
