/** Reads the data of a running Redis and of its files, and writes values as it dumps them. */
@NullMarked
package io.kvstadium.transfer.redis;

import org.jspecify.annotations.NullMarked;
