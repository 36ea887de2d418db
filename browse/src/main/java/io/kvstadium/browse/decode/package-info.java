/** Bytes as people read them. Nothing here runs or instantiates what it reads. */
@NullMarked
package io.kvstadium.browse.decode;

import org.jspecify.annotations.NullMarked;
