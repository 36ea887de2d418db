/**
 * The engine {@code xodus}: an adapter for JetBrains Xodus' environments.
 *
 * <p>Readers never wait: each read is a transaction on the newest root. Writers take turns.
 */
@NullMarked
package io.kvstadium.engine.xodus;

import org.jspecify.annotations.NullMarked;
