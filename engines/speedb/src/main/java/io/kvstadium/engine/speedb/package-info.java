/**
 * The engine {@code speedb}: a fork of RocksDB, bound through its makers' JNI library. Its classes
 * have the same names as RocksDB's, so each of the two needs its own class loader. What they share,
 * and the rules for threads, are in {@link io.kvstadium.engine.rocksjava}.
 */
@NullMarked
package io.kvstadium.engine.speedb;

import org.jspecify.annotations.NullMarked;
