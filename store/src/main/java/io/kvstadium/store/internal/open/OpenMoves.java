package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.internal.move.MoveFiles;
import io.kvstadium.store.internal.move.MoveMark;
import io.kvstadium.store.internal.move.Mover;
import io.kvstadium.store.internal.move.MovingStore;
import io.kvstadium.store.internal.move.Side;
import io.kvstadium.store.internal.open.Opener.Part;
import io.kvstadium.store.internal.open.Opener.Request;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores that are on a move: both of them, whichever was asked for; or what has become of
 * them.
 */
final class OpenMoves {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  private final Opener opener;
  private final NewMove starts;

  OpenMoves(Opener opener) {
    this.opener = opener;
    this.starts = new NewMove(opener);
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
    MoveMark truth = mark == null ? null : mark.truth(directory);
    if (truth != null && truth.isOn()) {
      throw new BadArgumentException(
          "%s: a move of %s to %s is on: finish or cancel it first"
              .formatted(url, truth.from(), truth.to()));
    }
  }

  OpenStore<?> open(Request request) {
    Path path = request.config().path();
    if (path == null) {
      throw request.refused(
          "a store without a directory cannot move: nothing would say where its data went");
    }
    MoveMark mark = MoveMark.read(path);
    if (mark == null) {
      return fresh(request);
    }
    MoveMark truth = mark.truth(path);
    if (truth == null || mark.isLeftover(path)) {
      throw request.refused(
          "%s holds what a move of %s to it left, which is not a whole store: remove the directory, or move there again",
          path, mark.from());
    }
    String to = moveTo(request);
    if (truth.state() == State.CANCELLED) {
      return reopened(request);
    }
    Path place = to == null ? null : opener.config(to).path();
    if (place != null
        && !place.toAbsolutePath().normalize().equals(truth.of(/* old= */ false).place())) {
      throw request.refused(
          "it is moving to %s, or has moved: end that before another move", truth.to());
    }
    if (truth.state() == State.FINISHED) {
      return mark.isOld() ? moved(request, truth) : reopened(request);
    }
    return both(request, mark, truth);
  }

  // ---- what has ended

  /** The only store of a move whose end was cut short. */
  private OpenStore<?> reopened(Request request) {
    if (!request.options().readOnly()) {
      Side side = side(0, opener.part(request));
      try {
        new MoveFiles(request.config().directory(), null).end(side);
      } finally {
        side.close();
      }
    }
    return fresh(request);
  }

  private OpenStore<?> fresh(Request request) {
    String to = moveTo(request);
    return to == null ? opener.open(request) : starts.begin(request, to);
  }

  private OpenStore<?> moved(Request request, MoveMark mark) {
    if (!request.urlOptions().followsMoved()) {
      throw request.refused("its data has moved to %s: open that", mark.to());
    }
    LOG.log(System.Logger.Level.INFO, request.url() + ": has moved: opening " + mark.to());
    OpenOptions given = request.options();
    OpenOptions options =
        new OpenOptions(
            false,
            given.errorIfExists(),
            given.readOnly(),
            given.listener(),
            given.required(),
            given.record(),
            null);
    Request target = opener.request(mark.to().toString(), options);
    return isMove(target) ? open(target) : opener.open(target); // whose end was cut short, or again
  }

  // ---- what is on

  private OpenStore<?> both(Request request, MoveMark mark, MoveMark truth) {
    Path path = request.config().directory();
    boolean hasData = mark.isOld() != truth.isOver();
    boolean elsewhere = mark.isElsewhere(path);
    if (elsewhere && !hasData) {
      throw request.refused(
          "it was in %s when its move began, and its data are in %s now: open that, or put it back",
          mark.place(), truth.to());
    }
    Request partner = partner(request, mark);
    Path there = partner.config().directory();
    boolean isThere = !elsewhere && isOf(truth, there);
    if (!hasData && !isThere) {
      throw request.refused("its data have moved to %s, which is not there any more", there);
    }
    Request used = hasData ? request : partner;
    Request follows = hasData ? partner : request;
    Side usedSide = side(truth.isOver() ? 1 : 0, opener.part(used));
    Side otherSide = null;
    try {
      if (request.options().readOnly()) {
        return start(opener, request, used, usedSide, null, null, null, null);
      }
      String end =
          (truth.isOver() ? "finish" : "cancel") + " the move; the application goes on meanwhile";
      String problem = null;
      if (elsewhere) {
        problem = "%s is a copy of %s, or was moved: %s".formatted(path, mark.place(), end);
      } else if (!isThere) {
        problem = "%s does not hold the other store any more: %s".formatted(there, end);
      } else {
        try {
          otherSide = side(truth.isOver() ? 0 : 1, opener.part(follows));
        } catch (LockedException e) {
          throw e;
        } catch (StadiumException e) {
          problem =
              "the other store cannot be opened (%s): mend it and open the store again, or %s"
                  .formatted(e.getMessage(), end);
        }
      }
      MoveMark read = MoveMark.read(path);
      MoveMark now = read == null ? null : read.truth(path);
      if (now == null || now.state() != truth.state()) { // before the locks were taken
        throw new LockedException(
            request.url() + ": another process has just changed the move: open it again");
      }
      boolean home = mark.isOld() == truth.isOld();
      MoveFiles files =
          home ? new MoveFiles(path, isThere ? there : null) : new MoveFiles(there, path);
      files.repair(truth);
      return start(opener, request, used, usedSide, otherSide, truth, files, problem);
    } catch (Throwable e) {
      close(otherSide, e);
      close(usedSide, e);
      throw e;
    }
  }

  /** Whether a directory holds a store of a move. */
  private static boolean isOf(MoveMark mark, Path directory) {
    MoveMark there = MoveMark.read(directory);
    return there != null && there.id().equals(mark.id());
  }

  /** The other store than the one that was asked for. */
  private Request partner(Request request, MoveMark mark) {
    String to = moveTo(request);
    if (mark.isOld() && to != null) {
      return starts.target(request, to);
    }
    StoreUrl url = mark.isOld() ? mark.to() : mark.from();
    return opener.request(
        url.toString(),
        OpenOptions.DEFAULT.createIfMissing(false).readOnly(request.options().readOnly()));
  }

  static Side side(int index, Part part) {
    Request request = part.request();
    return new Side(
        index,
        request.url(),
        request.info(),
        request.engine().capabilities(request.config()),
        part.store(),
        request.config(),
        part.failures(),
        part.lock());
  }

  /** What follows is closed with the store. */
  static OpenStore<?> start(
      Opener opener,
      Request asked,
      Request found,
      Side used,
      @Nullable Side other,
      @Nullable MoveMark mark,
      @Nullable MoveFiles files,
      @Nullable String problem) {
    Request request = asked.with(found.engine(), found.config());
    MovingStore moving = new MovingStore(used, other, mark != null);
    if (mark == null || files == null) {
      return opener.start(request, moving, null, null);
    }
    UrlOptions options = request.urlOptions();
    Mover mover =
        new Mover(
            moving,
            mark,
            files,
            options.moveRate(),
            options.shadow(),
            problem,
            request.options().listener());
    OpenStore<?> store = opener.start(request, moving, null, mover);
    mover.start();
    return store;
  }

  static void close(@Nullable Side side, Throwable cause) {
    if (side != null) {
      try {
        side.close();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
