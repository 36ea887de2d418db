/** The protocol of RocksServer, which the server finds where it is there. */
module io.kvstadium.server.rocksserver {
  requires io.kvstadium.backup;
  requires io.kvstadium.server;
  requires io.netty.buffer;
  requires io.netty.codec.http;

  provides io.kvstadium.server.http.HttpProtocol with
      io.kvstadium.server.rocksserver.RocksServerProtocol;
}
