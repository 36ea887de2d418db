/**
 * JSON under {@code /v1/}: entries, tables, scans, batches, backups. {@code openapi.json} describes
 * it.
 */
@NullMarked
package io.kvstadium.server.http.v1;

import org.jspecify.annotations.NullMarked;
