/**
 * The commands of the Redis protocol: the table of what is known of each ({@code commands.txt}),
 * what a request runs with, clients that wait for keys. The commands themselves are in a package
 * for each group of Redis' documentation.
 */
@NullMarked
package io.kvstadium.server.command;

import org.jspecify.annotations.NullMarked;
