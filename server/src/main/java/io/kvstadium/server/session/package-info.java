/**
 * Connections of the Redis protocol: requests are read on an event loop, executed in commit groups
 * and answered in order.
 */
@NullMarked
package io.kvstadium.server.session;

import org.jspecify.annotations.NullMarked;
