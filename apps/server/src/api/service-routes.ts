import type { ConnectRouter } from "@connectrpc/connect";
import { accountingRoutes } from "../community/gold/accounting.routes.ts";
import { auditRoutes } from "../community/audit/audit.routes.ts";
import { authRoutes } from "../community/auth/auth.routes.ts";
import type { Sessions } from "../community/auth/sessions.ts";
import { forgetSignIn } from "../community/auth/sign-in-tries.store.ts";
import { chatRoutes } from "../events/chat/chat.routes.ts";
import { forgetChats } from "../events/chat/membership.ts";
import { directorRoutes } from "../night/director/director.routes.ts";
import { invitedGuests } from "../events/enter-list.ts";
import { eventRoutes } from "../events/event.routes.ts";
import { leavePlaces } from "../events/move-up.ts";
import { firstStepsRoutes } from "../night/first-steps/first-steps.routes.ts";
import { guestRoutes } from "../night/guest/guest.routes.ts";
import type { PublicEvents } from "../night/guest/public-event.ts";
import { KEPT_OF_PEOPLE } from "./personal-data.ts";
import { lightsRoutes } from "../lights/lights.routes.ts";
import { readCorrected } from "../songs/library/correct-song.ts";
import type { FilmPorts } from "../songs/library/film.routes.ts";
import { FindVideos } from "../songs/library/find-videos.ts";
import { musicRoutes } from "../songs/library/music.routes.ts";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { nightRoutes } from "../night/night.routes.ts";
import type { PreflightPorts } from "../night/preflight-facts.ts";
import { queuesRoutes } from "../operations/queues/queues.routes.ts";
import { recordingRoutes } from "../lights/recordings/recording.routes.ts";
import { soundRoutes } from "../night/players/sound.routes.ts";
import { copyTalks } from "../events/talks/copy-talks.ts";
import { talkRoutes } from "../events/talks/talk.routes.ts";
import { withdrawVotes } from "../events/talks/withdraw-votes.ts";
import { linkWarning } from "../community/users/sign-up.ts";
import { userRoutes } from "../community/users/user.routes.ts";
import { venueRoutes } from "../machines/venues/venues.routes.ts";
import type { ApiPorts } from "./api-ports.ts";
import type { LiveSide } from "./live-side.ts";
import type { Workers } from "./workers.ts";

export interface ServiceParts {
  readonly sessions: Sessions;
  readonly live: LiveSide;
  readonly workers: Workers;
  readonly films: FilmPorts;
  readonly publicEvents: PublicEvents;
  readonly preflight: Pick<PreflightPorts, "freeBytes" | "lastBackup" | "reasons" | "areLinksLocal">;
}

/** Returns all services of the contract. */
export function serviceRoutes(ports: ApiPorts, parts: ServiceParts): readonly ((router: ConnectRouter) => void)[] {
  const { settings, sql, secret, files, fixtures, delivery, onImported, instead, warn } = ports;
  const { sessions, live, workers, films, publicEvents, preflight } = parts;
  const { stage, sounds, players, passing, presence, newsSince, onQueue, onScreenChange } = live;
  const country = settings.FOLLOWSPOT_COUNTRY;
  const basePath = settings.FOLLOWSPOT_BASE_PATH;
  const linkSites = settings.FOLLOWSPOT_LINK_SITES;
  const { askStage } = stage;
  const canSend = () => instead?.canSend ?? Object.keys(ports.channels).length > 0;
  const found = new FindVideos(() => ports.broker()?.connection);
  const videos = instead?.videos ?? { find: (request) => found.find(request), downloaders: workers.downloaders };

  return [
    authRoutes({ sql, sessions, newsSince, secret, delivery, guests: invitedGuests(secret), warn, country, basePath }),
    userRoutes({
      ...{ sql, secret, signIns: sessions, canSend, country },
      forgetSignIn: forgetSignIn(country),
      forget: [forgetChats],
      leave: [leavePlaces],
      kept: KEPT_OF_PEOPLE,
    }),
    eventRoutes({ sql, secret, copyTalks, withdrawVotes, linkWarning: () => linkWarning(sql, canSend()) }),
    talkRoutes({ sql }),
    guestRoutes({
      ...{ sql, newsSince, secret, publicEvents },
      ...(instead?.maxViews !== undefined && { maxViews: instead.maxViews }),
    }),
    musicRoutes({ sql, files, sounds, onQueue, onImported, films, linkSites, videos }),
    lightsRoutes({
      ...{ sql, fixtures, askStage },
      readSongFile:
        instead?.readSongFile ??
        ((id, name) => (name === "hybrid.json" ? readCorrected(sql, files, id) : readPlan(sql, files, id))),
    }),
    accountingRoutes({ sql }),
    auditRoutes({ sql }),
    chatRoutes({ sql, tellNow: passing.tell }),
    directorRoutes({ sql, secret, onChange: onScreenChange, onQueue }),
    recordingRoutes({ sql, askStage }),
    soundRoutes({ sql, secret, players }),
    queuesRoutes({ sql, broker: ports.broker, presence, linkSites }),
    venueRoutes({ sql }),
    firstStepsRoutes({ sql, onDemoNight: ports.onDemoNight }),
    nightRoutes({
      ...{ sql, files, fixtures, country, askStage, ...preflight },
      channels: () => ports.channels,
      workers: workers.all,
      ...instead?.preflight,
    }),
  ];
}
