package io.kvstadium.server.http;

import java.util.List;

/** What is served by HTTP: finds what answers a request. Safe for all threads. */
public interface Api {
  /** The names of the routes, for the metrics. */
  List<String> routes();

  /** What serves a request, whatever it asks for. */
  Route route(Request request);
}
