/**
 * QDBM behind the store's SPI: the system's C library, called through Java's foreign-function API.
 * The store is a directory, and each table a file in it: {@code name.villa}, a B+ tree of the
 * library's API Villa.
 *
 * <h2>Threads</h2>
 *
 * <p>The library's handles are for one thread at a time, reads included, and a tree has one cursor.
 * So each table has a lock that every call holds. A cursor whose place was taken by another one, or
 * lost to a write, finds it again by its last key.
 */
@NullMarked
package io.kvstadium.engine.qdbm;

import org.jspecify.annotations.NullMarked;
