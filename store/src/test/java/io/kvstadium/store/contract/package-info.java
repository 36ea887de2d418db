/**
 * The library's own laws, tested once: over an engine that watches whether the library keeps what
 * it promises to engines.
 */
@NullMarked
package io.kvstadium.store.contract;

import org.jspecify.annotations.NullMarked;
