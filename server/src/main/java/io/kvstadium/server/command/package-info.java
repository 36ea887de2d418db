/**
 * What the commands of the Redis protocol share: what a request runs with, what runs it, clients
 * that wait for keys. The commands themselves are in a package for each group of Redis'
 * documentation, the table of what is known of each ({@code commands.txt}) in {@code protocol}.
 */
@NullMarked
package io.kvstadium.server.command;

import org.jspecify.annotations.NullMarked;
