/**
 * What is looked at: entries, prefixes, searches, samples, differences. Each object belongs to one
 * request.
 */
@NullMarked
package io.kvstadium.browse.look;

import org.jspecify.annotations.NullMarked;
