/**
 * What a key can hold besides a string: hashes, sets, lists, sorted sets, streams, and the
 * HyperLogLog in a string.
 */
@NullMarked
package io.kvstadium.server.value;

import org.jspecify.annotations.NullMarked;
