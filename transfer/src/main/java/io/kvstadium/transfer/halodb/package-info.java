/** HaloDB's files, read without HaloDB. */
@NullMarked
package io.kvstadium.transfer.halodb;

import org.jspecify.annotations.NullMarked;
