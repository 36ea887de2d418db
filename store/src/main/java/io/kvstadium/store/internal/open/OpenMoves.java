package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.move.MoveMark;
import io.kvstadium.store.internal.move.MoveMark.Stage;
import io.kvstadium.store.internal.move.Mover;
import io.kvstadium.store.internal.move.MovingStore;
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
import org.jspecify.annotations.Nullable;

/**
 * Opens stores that are on a move: both of them, whichever was asked for; or what has become of
 * them.
 */
final class OpenMoves {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** What both engines need. */
  private static final Set<Capability> NEEDED =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.TABLES,
          Capability.BATCH,
          Capability.ORDERED_SCAN);

  private final Opener opener;

  OpenMoves(Opener opener) {
    this.opener = opener;
  }

  private static @Nullable String moveTo(Request request) {
    String given = request.options().moveTo();
    return given == null ? request.urlOptions().moveTo() : given;
  }

  /** Whether the store is on a move, has moved, or is to. */
  boolean isMove(Request request) {
    Path path = request.config().path();
    return !request.config().adopt()
        && (moveTo(request) != null || (path != null && MoveMark.read(path) != null));
  }

  /** Refuses to remove one of two stores that are bound to each other. */
  static void checkDestroy(String url, Path directory) {
    MoveMark mark = MoveMark.read(directory);
    MoveMark truth = mark == null ? null : truth(mark, directory);
    if (truth != null && truth.isOn()) {
      throw new BadArgumentException(
          "%s: a move of %s to %s is on: finish or cancel it first"
              .formatted(url, truth.origin(), truth.target()));
    }
  }

  /** What the old store's directory says, or the new one's if it was used; or {@code null}. */
  private static @Nullable MoveMark truth(MoveMark mark, Path directory) {
    if (mark.isOrigin(directory)) {
      return mark;
    }
    MoveMark origin = MoveMark.read(mark.originPath());
    if (origin != null && origin.id().equals(mark.id())) {
      return origin;
    }
    return mark.stage() == Stage.OVER ? mark : null;
  }

  OpenStore<?> open(Request request) {
    Path path = request.config().path();
    if (path == null) {
      throw request.refused(
          "a store without a directory cannot move: nothing would say where its data went");
    }
    MoveMark mark = MoveMark.read(path);
    if (mark == null) {
      return begin(request);
    }
    MoveMark truth = truth(mark, path);
    if (truth == null) {
      throw request.refused(
          "%s holds what a move of %s to it left, which is not a whole store: remove the directory, or move there again",
          path, mark.origin());
    }
    boolean byOrigin = mark.isOrigin(path);
    if (truth.stage() == Stage.CANCELLED) {
      return byOrigin ? cancelled(request) : open(at(request, truth.origin()));
    }
    refuseOther(request, truth);
    if (truth.stage() == Stage.FINISHED) {
      return byOrigin ? moved(request, truth) : finished(request);
    }
    return both(request, truth, byOrigin);
  }

  /** Refuses to move elsewhere than to where it is moving already. */
  private void refuseOther(Request request, MoveMark mark) {
    String to = moveTo(request);
    Path path = to == null ? null : opener.config(to).path();
    if (path != null
        && !path.toAbsolutePath().normalize().equals(mark.targetPath())
        && !mark.isOrigin(path)) {
      throw request.refused(
          "it is moving to %s, or has moved: %s", mark.target(), "end that before another move");
    }
  }

  // ---- what has ended

  private OpenStore<?> cancelled(Request request) {
    forget(request);
    return moveTo(request) == null ? opener.open(request) : begin(request);
  }

  /** Removes what a move left in a store that is the only one now. */
  private void forget(Request request) {
    Part part = opener.part(request);
    Side side = side(0, part);
    try {
      side.drop(Side.LOG);
      MoveMark.remove(request.config().directory());
    } finally {
      side.close();
    }
  }

  private OpenStore<?> moved(Request request, MoveMark mark) {
    if (!request.urlOptions().followsMoved()) {
      throw request.refused("its data has moved to %s: open that", mark.target());
    }
    LOG.log(System.Logger.Level.INFO, request.url() + ": has moved: opening " + mark.target());
    Request target = at(request, mark.target());
    MoveMark there = MoveMark.read(mark.targetPath());
    return there == null
        ? opener.open(target)
        : there.id().equals(mark.id()) ? finished(target) : open(target); // which moved on
  }

  /** The new store of a move whose end was cut short. */
  private OpenStore<?> finished(Request request) {
    if (!request.options().readOnly()) {
      forget(request);
    }
    return opener.open(request);
  }

  // ---- what is on

  private OpenStore<?> begin(Request request) {
    String to = moveTo(request);
    if (to == null) {
      return opener.open(request);
    }
    if (request.options().readOnly()) {
      throw request.refused("a store that is open read-only cannot move");
    }
    Request target = target(request, to);
    Path path = target.config().directory();
    StoreFiles.checkApart(request.url(), request.config().directory(), path);
    if (StoreFiles.isWithin(path, request.config().directory())) {
      throw request.refused("it is inside of %s: name another place to move to", path);
    }
    check(request, target);
    MoveMark left = MoveMark.read(path);
    if (left != null && truth(left, path) == null) {
      opener.destroy(target.url()); // what a move left that was cancelled, or had not begun
    }
    Part origin = opener.part(request);
    Side used = side(0, origin);
    Side other = null;
    try {
      checkRoom(request, target);
      Part there =
          opener.part(opener.request(target.url(), OpenOptions.DEFAULT.errorIfExists(true)));
      other = side(1, there);
      MoveMark mark =
          new MoveMark(
              UUID.randomUUID().toString(),
              request.urlOptions().lasting(request.config(), null),
              target.urlOptions().lasting(target.config(), null),
              Stage.BEGUN);
      other.open(Side.LOG, true);
      mark.write(path);
      there.made();
      used.open(Side.LOG, true);
      origin.made();
      mark.write(request.config().directory()); // from here on it has begun
      return start(request, request, used, other, mark, null);
    } catch (Throwable e) {
      close(other, e);
      close(used, e);
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

  private OpenStore<?> both(Request request, MoveMark mark, boolean byOrigin) {
    boolean over = mark.stage() == Stage.OVER;
    Request used = byOrigin == over ? partner(request, mark, byOrigin) : request;
    Side usedSide = side(over ? 1 : 0, opener.part(used));
    if (request.options().readOnly()) {
      return start(request, used, usedSide, null, null, null);
    }
    String end = (over ? "finish" : "cancel") + " the move; the application goes on";
    Side otherSide = null;
    String problem = null;
    try {
      Request follows = byOrigin == over ? request : partner(request, mark, byOrigin);
      Path place = follows.config().directory();
      MoveMark there = MoveMark.read(place);
      if (there == null || !there.id().equals(mark.id())) {
        problem = place + " does not hold the other store any more: " + end;
      } else {
        otherSide = side(over ? 0 : 1, opener.part(follows));
      }
    } catch (LockedException e) {
      close(usedSide, e);
      throw e;
    } catch (StadiumException e) {
      problem =
          "the other store cannot be opened (%s): mend it and open the store again, or %s"
              .formatted(e.getMessage(), end);
    }
    try {
      Path directory = request.config().directory();
      MoveMark read = MoveMark.read(directory);
      MoveMark now = read == null ? null : truth(read, directory);
      if (now == null || now.stage() != mark.stage()) { // before the locks were taken
        throw new LockedException(
            request.url() + ": another process has just changed the move: open it again");
      }
      MoveMark target = MoveMark.read(mark.targetPath());
      if (target != null && target.id().equals(mark.id()) && target.stage() != mark.stage()) {
        mark.write(mark.targetPath());
      }
      return start(request, used, usedSide, otherSide, mark, problem);
    } catch (Throwable e) {
      close(otherSide, e);
      close(usedSide, e);
      throw e;
    }
  }

  /** The other store than the one that was asked for. */
  private Request partner(Request request, MoveMark mark, boolean byOrigin) {
    String to = moveTo(request);
    if (!byOrigin) {
      return at(request, mark.origin());
    }
    return to == null ? at(request, mark.target()) : target(request, to);
  }

  /** The store to move to, as durable as the old one unless its URL says otherwise. */
  private Request target(Request request, String to) {
    Request given = opener.request(to, OpenOptions.DEFAULT);
    Path path = given.config().path();
    if (path == null || given.config().adopt() || given.options().readOnly()) {
      throw request.refused(
          "%s has no directory of its own that can be written: a store moves to one that has", to);
    }
    StoreUrl url = given.urlOptions().lasting(given.config(), request.config());
    return opener.request(url.toString(), OpenOptions.DEFAULT);
  }

  private Request at(Request request, StoreUrl url) {
    return opener.request(
        url.toString(), OpenOptions.DEFAULT.readOnly(request.options().readOnly()));
  }

  private static Side side(int index, Part part) {
    Request request = part.request();
    DirectoryLock lock = part.lock();
    return new Side(
        index,
        request.url(),
        request.info(),
        request.engine().capabilities(request.config()),
        part.store(),
        request.config(),
        part.failures(),
        () -> {
          if (lock != null) {
            lock.close();
          }
        });
  }

  /** What follows is closed with the store. */
  private OpenStore<?> start(
      Request asked,
      Request found,
      Side used,
      @Nullable Side other,
      @Nullable MoveMark mark,
      @Nullable String problem) {
    Request request = asked.with(found.engine(), found.config());
    MovingStore moving = new MovingStore(used, other, mark != null);
    if (mark == null) {
      return opener.start(request, moving, null, null);
    }
    StoreListener listener = request.options().listener();
    Mover mover =
        new Mover(
            moving,
            mark,
            request.urlOptions().moveRate(),
            request.urlOptions().shadow(),
            problem,
            status -> {
              if (listener != null) {
                listener.moved(status);
              }
            });
    OpenStore<?> store = opener.start(request, moving, null, mover);
    mover.start();
    return store;
  }

  private static void close(@Nullable Side side, Throwable cause) {
    if (side != null) {
      try {
        side.close();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
