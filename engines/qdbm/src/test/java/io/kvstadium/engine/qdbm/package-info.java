/**
 * What only QDBM's adapter can get wrong; what every engine must do is in the conformance tests.
 */
@NullMarked
package io.kvstadium.engine.qdbm;

import org.jspecify.annotations.NullMarked;
