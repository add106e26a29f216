import type { ConnectRouter } from "@connectrpc/connect";
import { accountingRoutes } from "../accounting/accounting.routes.ts";
import { auditRoutes } from "../audit/audit.routes.ts";
import { authRoutes } from "../auth/auth.routes.ts";
import type { Sessions } from "../auth/sessions.ts";
import { forgetSignIn } from "../auth/sign-in-tries.store.ts";
import { chatRoutes } from "../chat/chat.routes.ts";
import { forgetChats } from "../chat/membership.ts";
import { directorRoutes } from "../director/director.routes.ts";
import { invitedGuests } from "../event/enter-list.ts";
import { eventRoutes } from "../event/event.routes.ts";
import { leavePlaces } from "../event/move-up.ts";
import { firstStepsRoutes } from "../first-steps/first-steps.routes.ts";
import { guestRoutes } from "../guest/guest.routes.ts";
import type { PublicEvents } from "../guest/public-event.ts";
import { KEPT_OF_PEOPLE } from "../kept-of-people.ts";
import { lightsRoutes } from "../lights/lights.routes.ts";
import { readCorrected } from "../music/correct-song.ts";
import type { FilmPorts } from "../music/film.routes.ts";
import { FindVideos } from "../music/find-videos.ts";
import { musicRoutes } from "../music/music.routes.ts";
import { readPlan } from "../music/plan-revisions.ts";
import { nightRoutes } from "../night/night.routes.ts";
import type { PreflightPorts } from "../night/preflight-facts.ts";
import { queuesRoutes } from "../queues/queues.routes.ts";
import { recordingRoutes } from "../recording/recording.routes.ts";
import { soundRoutes } from "../sound/sound.routes.ts";
import { copyTalks } from "../talk/copy-talks.ts";
import { talkRoutes } from "../talk/talk.routes.ts";
import { withdrawVotes } from "../talk/withdraw-votes.ts";
import { linkWarning } from "../user/sign-up.ts";
import { userRoutes } from "../user/user.routes.ts";
import { venueRoutes } from "../venues/venues.routes.ts";
import type { ApiPorts } from "./api-ports.ts";
import type { LiveSide } from "./live-side.ts";
import type { Workers } from "./workers.ts";

export interface ServiceParts {
  readonly sessions: Sessions;
  readonly live: LiveSide;
  readonly workers: Workers;
  readonly films: FilmPorts;
  readonly publicEvents: PublicEvents;
  readonly preflight: Pick<PreflightPorts, "freeBytes" | "lastBackup" | "reasons">;
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
