/**
 * What was measured and under which circumstances: the records in {@code results.json}. All are
 * immutable data; times are nanoseconds and sizes bytes unless a name says otherwise.
 */
@NullMarked
package io.kvstadium.bench.result;

import org.jspecify.annotations.NullMarked;
