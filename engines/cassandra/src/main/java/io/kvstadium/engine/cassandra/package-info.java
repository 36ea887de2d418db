/**
 * A keyspace of a Cassandra cluster, behind the store's SPI. A table of the store is a CQL table
 * whose entries lie in a fixed number of partitions, each of them in order; a scan merges them.
 * What a CQL table is to the store stands in its comment.
 *
 * <h2>Threads</h2>
 *
 * <p>All calls share one session, which is safe for all threads. Interrupts do not break off what
 * was sent; they show when the call has ended.
 *
 * <h2>Order</h2>
 *
 * <p>Each write carries a timestamp that this process gives in rising order; of two writes of one
 * key the one with the higher timestamp holds, wherever they meet. A write that is sent again keeps
 * its timestamp.
 */
@NullMarked
package io.kvstadium.engine.cassandra;

import org.jspecify.annotations.NullMarked;
