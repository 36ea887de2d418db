@NullMarked
package io.kvstadium.engine.rocksserver;

import org.jspecify.annotations.NullMarked;
