package io.kvstadium.store.internal.open;

import io.kvstadium.store.Capability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.move.MoveFiles;
import io.kvstadium.store.internal.move.MoveMark;
import io.kvstadium.store.internal.move.Side;
import io.kvstadium.store.internal.open.Opener.Part;
import io.kvstadium.store.internal.open.Opener.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Begins moves: nothing is made unless the place, the disk and both engines are fit for it. */
record NewMove(Opener opener) {
  /** What both engines need. */
  private static final Set<Capability> NEEDED =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.TABLES,
          Capability.BATCH,
          Capability.ORDERED_SCAN);

  /** Makes the new store, and binds both to each other. */
  OpenStore<?> begin(Request request, String to) {
    if (request.options().readOnly()) {
      throw request.refused("a store that is open read-only cannot move");
    }
    Request target = target(request, to);
    Path from = request.config().directory();
    Path path = target.config().directory();
    StoreFiles.checkApart(request.url(), from, path);
    if (StoreFiles.isWithin(path, from)) {
      throw request.refused("it is inside of %s: name another place to move to", path);
    }
    check(request, target);
    MoveMark left = MoveMark.read(path);
    if (left != null && left.isLeftover(path)) {
      opener.destroy(target.url());
    }
    Part origin = opener.part(request);
    Side used = OpenMoves.side(0, origin);
    Side other = null;
    try {
      checkRoom(request, target);
      Part there =
          opener.part(opener.request(target.url(), OpenOptions.DEFAULT.errorIfExists(true)));
      other = OpenMoves.side(1, there);
      MoveMark mark =
          new MoveMark(
              UUID.randomUUID().toString(),
              true,
              request.urlOptions().lasting(request.config(), null),
              target.urlOptions().lasting(target.config(), null),
              State.CHECKING);
      mark.of(false).write(path);
      there.made();
      origin.made();
      mark.write(from); // from here on it has begun
      return OpenMoves.start(
          opener, request, request, used, other, mark, new MoveFiles(from, path), null);
    } catch (Throwable e) {
      OpenMoves.close(other, e);
      OpenMoves.close(used, e);
      throw e;
    }
  }

  private static void check(Request request, Request target) {
    for (Request one : new Request[] {request, target}) {
      Set<Capability> missing = EnumSet.copyOf(NEEDED);
      missing.removeAll(Capability.all(one.engine().capabilities(one.config())));
      if (!missing.isEmpty()) {
        throw new UnsupportedException(
            "%s: a move needs on both sides what engine %s does not have: %s"
                .formatted(
                    request.url(),
                    one.info().name(),
                    missing.stream()
                        .map(Capability::description)
                        .collect(Collectors.joining(", "))));
      }
    }
  }

  /** Refuses a disk that cannot take what there is, before anything is made. */
  private static void checkRoom(Request request, Request target) {
    long size = new StoreDirectory(request.config().directory(), request.url()).size();
    Path at = target.config().directory().toAbsolutePath();
    try {
      while (Files.notExists(at) && at.getParent() != null) {
        at = at.getParent();
      }
      long usable = Files.getFileStore(at).getUsableSpace();
      if (usable < size) {
        throw new FullException(
            "%s: the store has %d MB, and the disk of %s has %d MB left: make room, or move elsewhere"
                .formatted(request.url(), size >> 20, target.config().path(), usable >> 20));
      }
    } catch (IOException e) {
      throw new StoreIoException("cannot tell how much room " + at + " has: " + e, e);
    }
  }

  /** The store to move to, as durable as the old one unless its URL says otherwise. */
  Request target(Request request, String to) {
    Request given = opener.request(to, OpenOptions.DEFAULT);
    Path path = given.config().path();
    if (path == null || given.config().adopt() || given.options().readOnly()) {
      throw request.refused(
          "%s has no directory of its own that can be written: a store moves to one that has", to);
    }
    StoreUrl url = given.urlOptions().lasting(given.config(), request.config());
    return opener.request(url.toString(), OpenOptions.DEFAULT);
  }
}
