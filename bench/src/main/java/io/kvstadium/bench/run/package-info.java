/**
 * Runs suites: plans them on the engines that there are, gives each trial a process of its own in
 * an interleaved, seeded order, and gathers the results.
 *
 * <p>{@link io.kvstadium.bench.run.Executor} is the seam: with a fake one, planning and collecting
 * are tested without a clock. A {@link io.kvstadium.bench.run.Runner} belongs to one thread, except
 * for its {@code stop}.
 */
@NullMarked
package io.kvstadium.bench.run;

import org.jspecify.annotations.NullMarked;
