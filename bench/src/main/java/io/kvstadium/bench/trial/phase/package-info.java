/**
 * One timed phase: {@link io.kvstadium.bench.trial.phase.PhaseRun} has groups of workers run blocks
 * of operations on a {@link io.kvstadium.bench.trial.phase.Target}, on clocks of their own, and
 * checks what was read against what the {@link io.kvstadium.bench.trial.phase.Population} expects.
 */
@NullMarked
package io.kvstadium.bench.trial.phase;

import org.jspecify.annotations.NullMarked;
