/** What a store does, as Micrometer metrics. */
@NullMarked
package io.kvstadium.micrometer;

import org.jspecify.annotations.NullMarked;
