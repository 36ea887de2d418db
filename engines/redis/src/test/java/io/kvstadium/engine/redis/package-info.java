@NullMarked
package io.kvstadium.engine.redis;

import org.jspecify.annotations.NullMarked;
