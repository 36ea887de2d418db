/** An event log with a second order: scans, an index and pruning. */
@NullMarked
package events;

import org.jspecify.annotations.NullMarked;
