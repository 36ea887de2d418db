/** What monitoring reads: how long things took, and everything in Prometheus' format. */
@NullMarked
package io.kvstadium.server.figures;

import org.jspecify.annotations.NullMarked;
