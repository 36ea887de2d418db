/** The commands that run servers: {@code serve}, and {@code cluster} to try Cassandra. */
@NullMarked
package io.kvstadium.cli.serve;

import org.jspecify.annotations.NullMarked;
