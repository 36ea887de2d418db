@NullMarked
package examples;

import org.jspecify.annotations.NullMarked;
