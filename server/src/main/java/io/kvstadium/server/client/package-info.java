/** Clients: the state of each connection, the memory that all take, pauses. */
@NullMarked
package io.kvstadium.server.client;

import org.jspecify.annotations.NullMarked;
