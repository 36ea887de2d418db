/** Moves of a store to another engine while it is used: one engine's store made of two. */
@NullMarked
package io.kvstadium.store.internal.move;

import org.jspecify.annotations.NullMarked;
