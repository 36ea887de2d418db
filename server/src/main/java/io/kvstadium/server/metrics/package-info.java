/** What monitoring reads: how long things took, and everything in Prometheus' format. */
@NullMarked
package io.kvstadium.server.metrics;

import org.jspecify.annotations.NullMarked;
