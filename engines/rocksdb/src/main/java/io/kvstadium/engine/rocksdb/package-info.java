/**
 * The engine {@code rocksdb}: an LSM tree in C++, bound through its makers' JNI library. What it
 * shares with its forks, and its rules for threads, are in {@link io.kvstadium.engine.rocksjava}.
 */
@NullMarked
package io.kvstadium.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
