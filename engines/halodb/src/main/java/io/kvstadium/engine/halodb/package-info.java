/**
 * HaloDB: append-only files and an index of all keys in memory. Its jar is in no registry, so it is
 * not compiled against: users put it next to this engine, where one class loader sees both.
 *
 * <h2>Who does what</h2>
 *
 * {@link io.kvstadium.engine.halodb.HaloDbEngine} declares and opens, and says what is missing.
 * Everything in HaloDB is reached through {@code HaloDbApi}, whose method handles are constants, so
 * that the compiler sees through them. {@code HaloDbStore} translates calls.
 *
 * <h2>Threads</h2>
 *
 * HaloDB is safe for all threads: reads run side by side, writes take its lock in turn, and its own
 * thread compacts, except while a cursor is open.
 */
@NullMarked
package io.kvstadium.engine.halodb;

import org.jspecify.annotations.NullMarked;
