/** Tests of the starter. */
@NullMarked
package io.kvstadium.spring;

import org.jspecify.annotations.NullMarked;
