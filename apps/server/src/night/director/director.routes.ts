import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { MusicDuringTalks } from "@followspot/contract";
import { DirectorService } from "@followspot/contract/director";
import { findEvent, holdEvent } from "../../events/events.store.ts";
import { lockQueue } from "../../songs/queue/show-queue.store.ts";
import { followTalk } from "../../songs/queue/talk-queue.ts";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { conflict, invalid, notFound, overtaken } from "../../platform/errors.ts";
import { listQueryOf, readAll, readPage } from "../../platform/database/lists.ts";
import { holdTalk } from "../../events/talks/talks.store.ts";
import { holdPlayer, PLAYER_LIST, players, type PlayerRow } from "./players.store.ts";
import { screenPayload, toScreen } from "./screen-message.ts";
import * as screens from "./screens.store.ts";
import type { ScreenRow } from "./screens.store.ts";
import { findStageLink, removeStageLink, renewStageLink, stageKey, type StageLinkRow } from "./stage-links.ts";
import { nextScreen, type ScreenCommand } from "./stage-screen.ts";

export interface DirectorPorts {
  readonly sql: Sql;
  /** Secret for the keys of links; at least 32 bytes. */
  readonly secret: Uint8Array;
  /** Called when this process changed a screen or its link, before the broker publishes the event. */
  readonly onChange?: (screenId: string) => void;
  /** Called when a talk changed the music: the stage and the player read the queue at once. */
  readonly onQueue?: () => void;
}

interface OfScreen {
  readonly eventId?: string | undefined;
}

interface Press extends OfScreen {
  readonly ifRevision?: number | undefined;
}

/**
 * Methods for the stage screens. In addition to the common lock order (see transact), a command locks its screen last:
 * user, event, talk, show queue, screen.
 */
export function directorRoutes(ports: DirectorPorts): (router: ConnectRouter) => void {
  const { sql, secret, onChange = () => {}, onQueue = () => {} } = ports;

  async function press(request: Press, context: HandlerContext, command: ScreenCommand) {
    const { screen, isMusicChanged } = await change(sql, requireCaller(context), async (tx) => {
      const { id, music } = await holdNamed(tx, request, command);
      if (TALK_COMMANDS.has(command.kind)) await lockQueue(tx);
      const before = await screens.lockScreen(tx, id);
      requireRevision(before, request.ifRevision);
      const state = screens.stateOf(before);
      const next = nextScreen(state, command, before.read_at);
      const isOtherTalk = next.talk === undefined || next.talk.id !== state.talk?.id;
      const ofMusic = TALK_COMMANDS.has(command.kind) && isOtherTalk ? await followTalk(tx, id, music) : undefined;
      const entries = ofMusic ? [ofMusic] : [];
      const isMusicChanged = ofMusic !== undefined;
      if (next === state) return done({ screen: before, isMusicChanged }, ...entries);
      const saved = await screens.saveScreen(tx, id, next);
      return done({ screen: saved, isMusicChanged }, entry(VERBS[command.kind], before, saved), ...entries);
    });
    if (isMusicChanged) onQueue();
    onChange(screen.id);
    return { screen: toScreen(screen) };
  }

  const toLink = ({ screen_id, seed, created_at }: StageLinkRow) => ({
    // In the fragment: browsers never send it to a server, so it is not in a proxy's log.
    path: `/stage/${screen_id}#${stageKey(secret, screen_id, seed)}`,
    createdAt: timestampFromDate(created_at),
  });

  return (router) =>
    router.service(DirectorService, {
      getStageScreen: async (request) => ({
        screen: toScreen(await screens.readScreen(sql, await requireScreen(sql, request, findEvent))),
      }),

      listStageScreens: async (request) => {
        const open = screens.openScreens(sql);
        const query = listQueryOf({ list: request.list });
        if (query) {
          const { rows, nextPageToken } = await readPage<ScreenRow>(sql, screens.SCREEN_LIST, query, open);
          return { screens: rows.map(toScreen), nextPageToken };
        }
        return { screens: (await readAll<ScreenRow>(sql, screens.SCREEN_LIST, open)).map(toScreen) };
      },

      updateStatus: (request, context) => {
        requireText("status", request.status);
        if (/[\r\n]/.test(request.status)) throw invalid("status: must be one line");
        return press(request, context, { kind: "update status", status: request.status.trim() });
      },

      makeAnnouncement: (request, context) => {
        requireText("text", request.text);
        if (request.text.trim() === "") throw invalid("text: write what is to be announced");
        return press(request, context, { kind: "announce", text: request.text, seconds: request.seconds });
      },

      endAnnouncement: (request, context) => press(request, context, { kind: "end announcement" }),
      pushTalk: (request, context) => press(request, context, { kind: "push talk", talkId: request.talkId }),
      endTalk: (request, context) => press(request, context, { kind: "end talk" }),
      startTimer: (request, context) => press(request, context, { kind: "start timer", seconds: request.seconds }),
      stopTimer: (request, context) => press(request, context, { kind: "stop timer" }),
      showLeaderboard: (request, context) => press(request, context, { kind: "show leaderboard" }),
      goHome: (request, context) => press(request, context, { kind: "go home" }),
      announcePlayer: (request, context) =>
        press(request, context, { kind: "announce player", playerId: request.playerId }),
      showLamps: (request, context) => press(request, context, { kind: "show lamps", isShown: request.shown }),

      listPlayers: async (request) => {
        const query = listQueryOf({ list: request.list });
        if (query) {
          const { rows, nextPageToken } = await readPage<PlayerRow>(sql, PLAYER_LIST, query, players(sql));
          return { players: [...rows], nextPageToken };
        }
        return { players: [...(await readAll<PlayerRow>(sql, PLAYER_LIST, players(sql)))] };
      },

      getStageLink: async (request) => {
        const link = await findStageLink(sql, await requireScreen(sql, request, findEvent));
        return link ? { link: toLink(link) } : {};
      },

      createStageLink: async (request, context) => {
        const link = await change(sql, requireCaller(context), async (tx) => {
          const id = await requireScreen(tx, request);
          const made = await renewStageLink(tx, id, request.eventId || null);
          return done(made, { noun: "stage_link", id, verb: "created" });
        });
        onChange(link.screen_id);
        return { link: toLink(link) };
      },

      withdrawStageLink: async (request, context) => {
        const id = await change(sql, requireCaller(context), async (tx) => {
          const screenId = await requireScreen(tx, request);
          // Withdrawing twice is not an error.
          if (!(await removeStageLink(tx, screenId))) return done(screenId);
          return done(screenId, { noun: "stage_link", id: screenId, verb: "withdrawn" });
        });
        onChange(id);
        return { success: true };
      },
    });
}

/** Commands that put a talk on a screen or end it. */
const TALK_COMMANDS = new Set<ScreenCommand["kind"]>(["push talk", "end talk", "go home"]);

/**
 * Locks the rows that a command names against deletion, in lock order.
 * @returns ID of the screen, and the behavior of the music during the named talk
 */
async function holdNamed(
  tx: Tx,
  request: OfScreen,
  command: ScreenCommand,
): Promise<{ readonly id: string; readonly music?: MusicDuringTalks }> {
  if (command.kind === "announce player" && !(await holdPlayer(tx, command.playerId)))
    throw notFound("Player", command.playerId);
  const id = await requireScreen(tx, request);
  if (command.kind !== "push talk") return { id };
  const talk = await holdTalk(tx, command.talkId);
  if (!talk) throw notFound("Talk", command.talkId);
  if (request.eventId && talk.event_id !== request.eventId) {
    throw conflict("This talk belongs to another event. Push it on that event's screen, or move it here first.");
  }
  const event = talk.event_id === null ? undefined : await findEvent(tx, talk.event_id);
  return { id, music: event?.music_during_talks ?? "continues" };
}

/** Returns the screen ID of an event, or of no event. @throws not_found for a missing or deleted event */
async function requireScreen(db: Db, { eventId }: OfScreen, find = holdEvent): Promise<string> {
  if (!eventId) return screens.DEFAULT_SCREEN;
  const event = await find(db, eventId);
  if (!event || event.deleted_at) throw notFound("Event", eventId);
  return eventId;
}

const VERBS: Record<ScreenCommand["kind"], string> = {
  "update status": "status_updated",
  announce: "announcement_made",
  "end announcement": "announcement_ended",
  "push talk": "talk_pushed",
  "end talk": "talk_ended",
  "start timer": "timer_started",
  "stop timer": "timer_stopped",
  "show leaderboard": "leaderboard_shown",
  "go home": "sent_home",
  "announce player": "player_announced",
  "show lamps": "lamps_changed",
};

function requireRevision(screen: ScreenRow, seen: number | undefined): void {
  if (seen === undefined || seen === screen.revision) return;
  throw overtaken("Another person changed the stage screen just before. See what it shows now, then press again.");
}

/** Accepts tabs and line breaks, and rejects other control characters. */
function requireText(field: string, text: string): void {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text))
    throw invalid(`${field}: holds characters that cannot be shown`);
}

function entry(verb: string, before: ScreenRow, after: ScreenRow): Entry {
  return {
    noun: "stage_screen",
    id: after.id,
    verb,
    before: screens.stateOf(before),
    after: screens.stateOf(after),
    payload: screenPayload(after),
  };
}
