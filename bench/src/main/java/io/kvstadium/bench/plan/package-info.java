/**
 * Plans: a suite made ready for this machine and the user's options. {@link
 * io.kvstadium.bench.plan.Planner} spells out configurations and leaves out what cannot run; {@code
 * io.kvstadium.bench.run} runs what is left. Immutable data but for the planner.
 */
@NullMarked
package io.kvstadium.bench.plan;

import org.jspecify.annotations.NullMarked;
