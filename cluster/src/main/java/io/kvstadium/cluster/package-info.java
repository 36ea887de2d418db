/**
 * Clusters of Cassandra nodes on this machine, for trials and tests that need several nodes: {@link
 * io.kvstadium.cluster.LocalCluster}. The nodes are separate processes, which outlive the one that
 * starts them. Nothing of Cassandra is on the class path: {@link
 * io.kvstadium.cluster.CassandraProgram} finds it.
 *
 * <p>Safe for one thread at a time; processes that work on one cluster exclude each other.
 */
@NullMarked
package io.kvstadium.cluster;

import org.jspecify.annotations.NullMarked;
