/**
 * What an operation writes, and what must be there afterwards: the checker, its findings, and what
 * each level guarantees.
 */
@NullMarked
package io.kvstadium.torture.check;

import org.jspecify.annotations.NullMarked;
