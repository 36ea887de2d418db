/**
 * Texts and checks that the whole library shares; only the library and its own modules see them.
 */
@NullMarked
package io.kvstadium.store.internal;

import org.jspecify.annotations.NullMarked;
