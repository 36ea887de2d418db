/**
 * Clusters of Cassandra nodes on this machine, to try and to test what needs several: {@link
 * io.kvstadium.cluster.LocalCluster}. The nodes are processes of their own, which outlive the one
 * that starts them. Nothing of Cassandra is on the class path: {@link
 * io.kvstadium.cluster.CassandraProgram} finds it.
 *
 * <p>Safe for one thread at a time; processes that work on one cluster exclude each other.
 */
@NullMarked
package io.kvstadium.cluster;

import org.jspecify.annotations.NullMarked;
