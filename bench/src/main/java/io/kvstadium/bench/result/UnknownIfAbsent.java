package io.kvstadium.bench.result;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@code long} that was added to a record without a new schema: read from a file that does
 * not have it, it is -1. For parameters only, so that Jackson does not set the record's field too.
 */
@JacksonAnnotationsInside
@JacksonInject(value = UnknownIfAbsent.VALUE, useInput = OptBoolean.TRUE)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
@interface UnknownIfAbsent {
  /** By which name the reader provides what takes its place. */
  String VALUE = "unknown";
}
