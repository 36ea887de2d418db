/**
 * One timed phase: {@link io.kvstadium.bench.measure.PhaseRun} has groups of workers run blocks of
 * operations on a {@link io.kvstadium.bench.measure.Target}, on clocks of their own, and checks
 * what was read against what the {@link io.kvstadium.bench.measure.source.Population} expects.
 */
@NullMarked
package io.kvstadium.bench.measure;

import org.jspecify.annotations.NullMarked;
