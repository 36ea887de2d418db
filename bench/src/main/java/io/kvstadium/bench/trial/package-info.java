/**
 * One run of one configuration, in its own process: {@link io.kvstadium.bench.trial.TrialMain}
 * reads a {@link io.kvstadium.bench.trial.TrialPlan} from its standard input, does what it says,
 * and reports to its parent line by line ({@link io.kvstadium.bench.trial.Message}).
 *
 * <h2>What is timed</h2>
 *
 * <p>Work goes in blocks. A block's keys and values are made before its clock starts, and what it
 * read is checked after its clock has stopped; a phase's time is the sum of its blocks' times.
 * Within a block the clock is read once per operation (or once per chunk of operations, where one
 * takes less than about a microsecond), so latencies leave no gap between them.
 *
 * <h2>Threads</h2>
 *
 * <p>A phase of several threads gives each its own lane of the data and its own block; nothing is
 * shared but the store. Unless a class says otherwise, its instances belong to one thread.
 */
@NullMarked
package io.kvstadium.bench.trial;

import org.jspecify.annotations.NullMarked;
