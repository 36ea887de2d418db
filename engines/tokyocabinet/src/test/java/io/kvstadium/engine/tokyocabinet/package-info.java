/**
 * What only Tokyo Cabinet's adapter can get wrong; what every engine must do is in the conformance
 * tests.
 */
@NullMarked
package io.kvstadium.engine.tokyocabinet;

import org.jspecify.annotations.NullMarked;
