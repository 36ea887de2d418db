/**
 * The Redis protocol and HTTP over any store. What starts a server or fills its databases is for
 * everybody; what another protocol over HTTP needs is for that module.
 */
@SuppressWarnings({
  "module",
  "requires-automatic"
}) // built after this one; named in their manifests
module io.kvstadium.server {
  requires transitive io.kvstadium.store;
  requires transitive io.kvstadium.transfer;
  requires transitive io.kvstadium.backup;
  requires io.kvstadium.lua;
  requires java.management;
  requires jdk.management;
  requires com.fasterxml.jackson.core;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires io.prometheus.metrics.model;

  exports io.kvstadium.server;
  exports io.kvstadium.server.backup;
  exports io.kvstadium.server.imports;
  exports io.kvstadium.server.log;
  exports io.kvstadium.server.access to
      io.kvstadium.cli;
  exports io.kvstadium.server.execute to
      io.kvstadium.cli,
      io.kvstadium.server.rocksserver;
  exports io.kvstadium.server.http to
      io.kvstadium.cli,
      io.kvstadium.server.rocksserver;

  uses io.kvstadium.server.http.HttpProtocol;
}
