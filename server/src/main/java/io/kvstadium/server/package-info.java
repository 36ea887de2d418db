/** A store behind the Redis protocol and HTTP. */
@NullMarked
package io.kvstadium.server;

import org.jspecify.annotations.NullMarked;
