/**
 * What H2 and MVStore share: their file. It is an MVStore file, behind a channel that survives
 * interrupts and notices chunks that a power cut has torn.
 */
@NullMarked
package io.kvstadium.engine.h2file;

import org.jspecify.annotations.NullMarked;
