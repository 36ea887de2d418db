@NullMarked
package io.kvstadium.engine.cassandra;

import org.jspecify.annotations.NullMarked;
