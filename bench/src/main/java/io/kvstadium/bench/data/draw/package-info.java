/**
 * Draws: which key, which size, when. Each law is a {@link
 * io.kvstadium.bench.data.draw.Distribution}, a {@link
 * io.kvstadium.bench.data.draw.SizeDistribution} or {@link io.kvstadium.bench.data.draw.Arrivals},
 * and gives the same draws for the same seed.
 */
@NullMarked
package io.kvstadium.bench.data.draw;

import org.jspecify.annotations.NullMarked;
