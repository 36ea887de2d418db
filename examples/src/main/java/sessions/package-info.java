/** Sessions of a web application: expiry, counters and metrics. */
@NullMarked
package sessions;

import org.jspecify.annotations.NullMarked;
