/** What a store does, as metrics of Micrometer. */
@NullMarked
package io.kvstadium.micrometer;

import org.jspecify.annotations.NullMarked;
