/**
 * Draws: which key, which size. Each law is a {@link io.kvstadium.bench.data.draw.Distribution} or
 * a {@link io.kvstadium.bench.data.draw.SizeDistribution}, and gives the same draws for the same
 * seed.
 */
@NullMarked
package io.kvstadium.bench.data.draw;

import org.jspecify.annotations.NullMarked;
