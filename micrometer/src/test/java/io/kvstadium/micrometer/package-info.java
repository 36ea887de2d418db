@NullMarked
package io.kvstadium.micrometer;

import org.jspecify.annotations.NullMarked;
