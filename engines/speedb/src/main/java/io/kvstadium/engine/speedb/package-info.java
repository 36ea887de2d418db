/**
 * The engine {@code speedb}: a fork of RocksDB, bound through its makers' JNI library. That has
 * classes of the same names as RocksDB's, so that the two need a class loader each. What they
 * share, and the rules for threads, are in {@link io.kvstadium.engine.rocksjava}.
 */
@NullMarked
package io.kvstadium.engine.speedb;

import org.jspecify.annotations.NullMarked;
