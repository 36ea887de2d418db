package io.kvstadium.spring;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.LockedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says in a few lines, instead of a stack trace, why an application without its store did not
 * start.
 */
final class StoreNotOpenedFailureAnalyzer extends AbstractFailureAnalyzer<StoreNotOpenedException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StoreNotOpenedException failure) {
    return new FailureAnalysis(
        "The store of the property kvstadium.url could not be opened: " + failure.getMessage(),
        action(failure.getCause()),
        rootFailure);
  }

  private static String action(@Nullable Throwable cause) {
    return switch (cause) {
      case BadArgumentException _ ->
          "Correct the property kvstadium.url, whose form is ENGINE:PLACE?OPTION=VALUE as in"
              + " rocksdb:data/app?durability=power, or add that engine's artifact,"
              + " kv-stadium-engine-NAME, to the dependencies.";
      case LockedException _ ->
          "Stop the process that has the store open, or name another place in the property"
              + " kvstadium.url.";
      case null, default ->
          "Do what the description says. The stack trace is in the log at the level DEBUG of"
              + " org.springframework.boot.diagnostics.";
    };
  }
}
