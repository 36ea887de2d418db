package io.kvstadium.cluster;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * What a node reports about its cluster over its management interface, as {@code nodetool} asks it.
 * Clients know the cluster from one of its nodes, so it is ready when all nodes report the same.
 *
 * @param ring the storage ports of nodes that have a part of the ring
 * @param live the storage ports of nodes that are up
 * @param schemas how many versions of the tables the live nodes have
 */
record View(Set<Integer> ring, Set<Integer> live, int schemas) {
  private static final ObjectName SERVICE = name("StorageService");
  private static final ObjectName PROXY = name("StorageProxy");
  private static final String UNREACHABLE = "UNREACHABLE";

  /** The node's view, or {@code null} if it does not report one. */
  @SuppressWarnings("BanJNDI") // the address is our own, of this machine
  static @Nullable View of(Node node) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(
            new JMXServiceURL(
                "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + node.jmxPort() + "/jmxrmi"))) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      Map<?, ?> ring = (Map<?, ?>) beans.getAttribute(SERVICE, "TokenToEndpointWithPortMap");
      Collection<?> live = (Collection<?>) beans.getAttribute(SERVICE, "LiveNodesWithPort");
      Map<?, ?> schemas = (Map<?, ?>) beans.getAttribute(PROXY, "SchemaVersionsWithPort");
      boolean downOnes = schemas.containsKey(UNREACHABLE);
      return new View(ports(ring.values()), ports(live), schemas.size() - (downOnes ? 1 : 0));
    } catch (IOException | InstanceNotFoundException _) {
      return null; // it is still starting
    } catch (JMException e) {
      throw new IllegalStateException("not a Cassandra of version 5: " + e, e);
    }
  }

  private static ObjectName name(String type) {
    try {
      return new ObjectName("org.apache.cassandra.db:type=" + type);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Set<Integer> ports(Collection<?> addresses) {
    return addresses.stream()
        .map(String::valueOf)
        .map(address -> Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)))
        .collect(Collectors.toSet());
  }

  /** Whether it knows that all given nodes are up and have the same tables. */
  boolean complete(Collection<Node> all) {
    Set<Integer> ports = all.stream().map(Node::storagePort).collect(Collectors.toSet());
    return ring.containsAll(ports) && live.containsAll(ports) && schemas == 1;
  }
}
