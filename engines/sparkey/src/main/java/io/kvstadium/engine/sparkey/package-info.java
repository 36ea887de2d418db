/**
 * Sparkey: a log of entries and a hash table over it, both written once and then only read.
 *
 * <h2>Who does what</h2>
 *
 * {@link io.kvstadium.engine.sparkey.SparkeyEngine} declares and opens. A {@code SparkeyStore}
 * knows the tables; each has a current {@code Generation}, a pair of files that never changes. A
 * load writes the next one with {@code Draft}s and puts it in place of the old one. {@code Layout}
 * names the files.
 *
 * <h2>Threads</h2>
 *
 * <ul>
 *   <li>One of Sparkey's readers serves one thread at a time. Each generation has a pool of them
 *       that belongs to no thread, so threads may come and go, virtual ones too.
 *   <li>A reader's memory is unmapped only by a thread that has taken it from the pool, so nobody
 *       reads unmapped memory. After a load, the last one to unpin the old generation takes all of
 *       its readers, waiting for gets in progress, and closes them.
 *   <li>Snapshots and cursors pin a generation: its files stay until the last pin is gone.
 *   <li>Loads into one table run one after the other, into several tables in parallel.
 * </ul>
 */
@NullMarked
package io.kvstadium.engine.sparkey;

import org.jspecify.annotations.NullMarked;
