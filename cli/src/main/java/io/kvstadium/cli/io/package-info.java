/** What the commands share: arguments, messages, text for a terminal, and files of the user's. */
@NullMarked
package io.kvstadium.cli.io;

import org.jspecify.annotations.NullMarked;
