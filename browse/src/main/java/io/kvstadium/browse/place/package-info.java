/** What is at a path or URL, and how it is opened. */
@NullMarked
package io.kvstadium.browse.place;

import org.jspecify.annotations.NullMarked;
