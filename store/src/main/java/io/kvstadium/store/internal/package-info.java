/** The implementation, which only the library and its own modules see. */
@NullMarked
package io.kvstadium.store.internal;

import org.jspecify.annotations.NullMarked;
