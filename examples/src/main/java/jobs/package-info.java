/** A queue of jobs that several threads take from, in the order of their priority. */
@NullMarked
package jobs;

import org.jspecify.annotations.NullMarked;
