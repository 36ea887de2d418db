/**
 * The engine named {@code null}: takes everything, keeps nothing, and answers at once with the same
 * value, so that what remains of a measurement is the measuring itself. Not for applications, and
 * the only engine that the conformance tests do not apply to.
 *
 * <h2>Threads</h2>
 *
 * <p>It has no mutable state, so everything is safe for all threads.
 */
@NullMarked
package io.kvstadium.engine.nothing;

import org.jspecify.annotations.NullMarked;
