/**
 * How keys and values of an application become bytes: {@link io.kvstadium.store.codec.Codec}.
 * Thread-safe.
 */
@NullMarked
package io.kvstadium.store.codec;

import org.jspecify.annotations.NullMarked;
