/**
 * Runs suites: plans them for the available engines, runs each trial in its own process in an
 * interleaved, seeded order, and gathers the results.
 *
 * <p>{@link io.kvstadium.bench.run.Executor} is the seam: with a fake one, planning and collecting
 * are tested without a clock. A {@link io.kvstadium.bench.run.Runner} belongs to one thread, except
 * for its {@code stop}.
 */
@NullMarked
package io.kvstadium.bench.run;

import org.jspecify.annotations.NullMarked;
