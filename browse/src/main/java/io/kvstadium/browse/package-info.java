/**
 * A page that shows what is in a store: the server on loopback, who may ask it, and its endpoints.
 * Safe for all threads.
 */
@NullMarked
package io.kvstadium.browse;

import org.jspecify.annotations.NullMarked;
