@NullMarked
package io.kvstadium.engine.postgresql;

import org.jspecify.annotations.NullMarked;
