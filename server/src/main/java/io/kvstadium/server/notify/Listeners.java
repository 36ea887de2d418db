package io.kvstadium.server.notify;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Clients;
import io.kvstadium.server.database.Changes;
import io.kvstadium.server.database.Changes.Change;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.notify.KeyEvents.Event;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Invocation;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies clients of changes: those that listen to keyspace notifications, and those that cache
 * what they have read. They are notified once a change is in the store. Safe for all threads.
 */
public final class Listeners {
  private final Channels channels = new Channels();
  private final Monitors monitors = new Monitors();
  private final Tracking tracking;
  private final Consumer<Boolean> somebody;
  private volatile String flags = "";
  private volatile boolean tracks;

  /**
   * Starts without listeners.
   *
   * @param clients all connected clients
   * @param somebody receives whether there are any
   */
  public Listeners(Clients clients, Consumer<Boolean> somebody) {
    this.somebody = somebody;
    this.tracking = new Tracking(clients, this::tracks);
  }

  private void tracks(boolean anybody) {
    tracks = anybody;
    tell();
  }

  private void tell() {
    somebody.accept(tracks || !flags.isEmpty());
  }

  /** The subscribers. */
  public Channels channels() {
    return channels;
  }

  /** Who is shown every request. */
  public Monitors monitors() {
    return monitors;
  }

  /** A client is gone: what it listened to is forgotten. */
  public void leave(Client client) {
    channels.leaveAll(client);
    monitors.remove(client);
    tracking.end(client);
  }

  public Tracking tracking() {
    return tracking;
  }

  /** The setting notify-keyspace-events. */
  public String flags() {
    return flags;
  }

  public void flags(String letters) {
    flags = letters;
    tell();
  }

  /** Somebody began to listen while a commit group was being executed that reported nothing. */
  public void missed() {
    if (tracks) {
      tracking.allChanged();
    }
  }

  /** A request was executed. */
  public void executed(Client client, Invocation call, Databases.View view) {
    Changes changes = view.changes();
    if (changes != null && !changes.isEmpty()) {
      tell(changes, flags.isEmpty() ? List.of() : KeyEvents.of(call, changes), client, view);
    }
  }

  /** Keys were removed since they are due, or for want of room. */
  public void removed(Databases.View view) {
    Changes changes = view.changes();
    if (changes != null && !changes.isEmpty()) {
      tell(changes, KeyEvents.removed(changes), null, view);
    }
  }

  private void tell(Changes changes, List<Event> events, @Nullable Client by, Databases.View view) {
    String wanted = flags;
    for (Event each : events) {
      if (KeyEvents.wanted(wanted, each.type())) {
        Change of = each.of();
        int database = view.number(of.place());
        view.commitGroup()
            .afterCommit(() -> publish(wanted, each.name(), database, of.key().value()));
      }
    }
    if (tracks) {
      List<Bytes> names = changes.names();
      boolean all = changes.wereCleared();
      view.commitGroup()
          .afterCommit(() -> {
            if (all) {
              tracking.allChanged();
            }
            tracking.changed(names, by);
          });
      Map<Bytes, Long> together = view.broadcast();
      if (together.isEmpty() && !names.isEmpty()) {
        view.commitGroup().afterCommit(() -> tracking.broadcast(together)); // all up to then
      }
      long last = by == null ? 0 : by.id();
      names.forEach(name -> together.put(name, last));
    }
    changes.clear();
  }

  private void publish(String wanted, String event, int database, byte[] key) {
    if (wanted.indexOf('K') >= 0) {
      channels.publish(
          Channels.Kind.CHANNEL, KeyEvents.channel("keyspace", database, key), Bytes.of(event));
    }
    if (wanted.indexOf('E') >= 0) {
      channels.publish(
          Channels.Kind.CHANNEL, KeyEvents.channel("keyevent", database, Bytes.of(event)), key);
    }
  }
}
