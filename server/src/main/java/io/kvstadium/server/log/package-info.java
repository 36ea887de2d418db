/** What an operator should know. */
@NullMarked
package io.kvstadium.server.log;

import org.jspecify.annotations.NullMarked;
