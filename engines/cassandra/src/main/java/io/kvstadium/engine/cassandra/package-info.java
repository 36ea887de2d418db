/**
 * A keyspace of a Cassandra cluster, behind the store's SPI. A table of the store is a CQL table
 * whose entries are in a fixed number of partitions, each of them in order; a scan merges them. The
 * CQL table's comment says what it is to the store.
 *
 * <h2>Threads</h2>
 *
 * <p>All calls share one session, which is safe for all threads. Interrupts do not cancel what was
 * sent; they show when the call has ended.
 *
 * <h2>Order</h2>
 *
 * <p>Each write carries a timestamp, which this process assigns in rising order. Of two writes of a
 * key the one with the higher timestamp wins, wherever they meet. A write that is sent again keeps
 * its timestamp.
 */
@NullMarked
package io.kvstadium.engine.cassandra;

import org.jspecify.annotations.NullMarked;
