package io.kvstadium.engine.ignite;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.table.KeyValueView;

/**
 * A client with a connection to one node at a time, and to another one when that is lost. With
 * connections to several nodes, Ignite 3.1's client spreads a transaction's requests over them, and
 * the locks of a transaction that is rolled back may stay. For all threads.
 */
final class Connection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 1_000;

  /** A client, and what belongs to it. */
  private record Link(IgniteClient client, Map<Integer, KeyValueView<byte[], byte[]>> views) {
    boolean isLost() {
      return client.connections().isEmpty();
    }
  }

  private final Address address;
  private int next; // among the hosts
  private boolean closed;
  private volatile Link link;

  Connection(Address address) {
    this.address = address;
    this.link = open();
  }

  private Link open() {
    return new Link(address.client(reachable()), new ConcurrentHashMap<>());
  }

  /** The first host that can be reached, beginning with the one after the last. */
  private String reachable() {
    List<String> hosts = address.hosts();
    int first = next;
    for (int i = 0; i < hosts.size(); i++) {
      String host = hosts.get((first + i) % hosts.size());
      if (hosts.size() == 1 || accepts(host)) {
        next = (first + i + 1) % hosts.size();
        return host;
      }
    }
    return hosts.get(first); // the client says what is wrong
  }

  private static boolean accepts(String host) {
    int colon = host.lastIndexOf(':');
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(
              host.substring(0, colon), Integer.parseInt(host.substring(colon + 1))),
          PATIENCE_MILLIS);
      return true;
    } catch (IOException e) {
      return false; // then try another one
    }
  }

  /** The current client, connected if any node can be reached. */
  IgniteClient client() {
    return live().client;
  }

  /** A table's entries, by its number. */
  KeyValueView<byte[], byte[]> view(
      int table, Supplier<KeyValueView<byte[], byte[]>> whenNotKnown) {
    Map<Integer, KeyValueView<byte[], byte[]>> views = live().views;
    KeyValueView<byte[], byte[]> known = views.get(table);
    if (known == null) {
      known = whenNotKnown.get();
      views.put(table, known);
    }
    return known;
  }

  private Link live() {
    Link now = link;
    return address.hosts().size() > 1 && now.isLost() ? renewed() : now;
  }

  private synchronized Link renewed() {
    Link lost = link;
    if (!closed && lost.isLost()) {
      link = open();
      lost.client.close();
    }
    return link;
  }

  @Override
  public synchronized void close() {
    closed = true;
    link.client.close();
  }
}
