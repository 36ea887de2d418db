@NullMarked
package io.kvstadium.engine.ignite;

import org.jspecify.annotations.NullMarked;
