/**
 * Redis' protocol on the wire, RESP2 and RESP3: requests from bytes, replies to bytes. Knows
 * nothing of stores.
 */
@NullMarked
package io.kvstadium.server.protocol;

import org.jspecify.annotations.NullMarked;
