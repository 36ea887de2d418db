/** RocksServer's protocol, on the port of HTTP. */
@NullMarked
package io.kvstadium.server.rocksserver;

import org.jspecify.annotations.NullMarked;
