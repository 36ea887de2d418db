/**
 * What only libmdbx's adapter can get wrong; what every engine must do is in the conformance tests.
 */
@NullMarked
package io.kvstadium.engine.mdbx;

import org.jspecify.annotations.NullMarked;
