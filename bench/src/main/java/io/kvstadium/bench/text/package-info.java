/** Text for people: units of figures, the style of a terminal, and what a reader must know. */
@NullMarked
package io.kvstadium.bench.text;

import org.jspecify.annotations.NullMarked;
