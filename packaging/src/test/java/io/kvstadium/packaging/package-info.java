/** Tests of the artifacts as an application sees them. */
@NullMarked
package io.kvstadium.packaging;

import org.jspecify.annotations.NullMarked;
