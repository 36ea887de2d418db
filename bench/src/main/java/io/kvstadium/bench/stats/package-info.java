/**
 * What the figures of several trials show, and what they do not. Everything here is an immutable
 * value or a pure function, so all of it is safe for all threads.
 *
 * <p>Speeds and times are positive and skewed to one side, and people compare them as ratios; so
 * all means and intervals are taken on logarithms. The unit of observation is the trial: samples
 * inside one trial are correlated and give no interval.
 */
@NullMarked
package io.kvstadium.bench.stats;

import org.jspecify.annotations.NullMarked;
