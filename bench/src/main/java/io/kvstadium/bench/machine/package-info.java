/**
 * What the machine gives to a measurement, and what it does to one: the environment check, memory
 * limits by control groups, the page cache, and the device's traffic. Nothing here knows of suites
 * or trials.
 *
 * <p>Most of it reads files of Linux's {@code /proc} and {@code /sys}; where there are none, a
 * figure is unknown and an answer says why, and nothing is made up. All classes are safe for use by
 * several threads unless they say otherwise.
 */
@NullMarked
package io.kvstadium.bench.machine;

import org.jspecify.annotations.NullMarked;
