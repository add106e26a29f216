import { AuditService } from "@followspot/contract/audit";
import { ChatService } from "@followspot/contract/chat";
import { DirectorService } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import type { NavigateOptions } from "@tanstack/react-router";
import type { Action } from "../auth/can.ts";
import { strings } from "../lib/strings.ts";
import { paletteStrings as text } from "./palette.strings.ts";

/** A destination in the console, with its label. */
export interface Place {
  readonly text: string;
  /** Synonyms that users may type. */
  readonly also?: string;
  readonly goal: NavigateOptions;
}

type Can = (action: Action) => boolean;

/** Returns the screens that the signed-in user may open. */
export function screensFor(can: Can): readonly Place[] {
  const places: readonly (Place & { readonly needs?: Action })[] = [
    { text: strings.product, also: text.also.dashboard, goal: { to: "/" } },
    { text: strings.tabs.users, also: text.also.users, goal: { to: "/users" }, needs: UserService.method.listUsers },
    { text: strings.tabs.events, also: text.also.events, goal: { to: "/events" } },
    { text: strings.tabs.music, also: text.also.music, goal: { to: "/music" } },
    { text: text.playlists, goal: { to: "/music/playlists" } },
    { text: strings.tabs.lights, also: text.also.lights, goal: { to: "/lights" } },
    {
      text: text.fixtures,
      also: text.also.fixtures,
      goal: { to: "/lights", search: { open: "fixtures" } },
      needs: LightsService.method.listFixtures,
    },
    {
      text: text.outputs,
      also: text.also.outputs,
      goal: { to: "/lights", search: { open: "outputs" } },
      needs: LightsService.method.listOutputs,
    },
    { text: text.calibration, also: text.also.calibration, goal: { to: "/lights/calibration" }, needs: "playOnStage" },
    { text: text.patchSheet, also: text.also.patchSheet, goal: { to: "/lights/sheet" } },
    { text: text.desk, also: text.also.desk, goal: { to: "/desk" }, needs: "playOnStage" },
    { text: text.tonight, also: text.also.tonight, goal: { to: "/tonight" }, needs: "playOnStage" },
    { text: text.preflight, also: text.also.preflight, goal: { to: "/preflight" }, needs: "playOnStage" },
    { text: text.rehearsal, goal: { to: "/rehearsal" }, needs: "playOnStage" },
    {
      text: text.stageScreen,
      also: text.also.stageScreen,
      goal: { to: "/events/$eventId/stage", params: { eventId: "default" } },
      needs: DirectorService.method.goHome,
    },
    { text: strings.tabs.workers, also: text.also.workers, goal: { to: "/workers" }, needs: "seeQueues" },
    { text: strings.tabs.docs, also: text.also.docs, goal: { to: "/docs" } },
    {
      text: strings.account.auditLog,
      also: text.also.auditLog,
      goal: { to: "/log" },
      needs: AuditService.method.listAuditEntries,
    },
    { text: strings.chat.title, also: text.also.chat, goal: { to: "/chat" } },
  ];
  return places.filter(({ needs }) => needs === undefined || can(needs));
}

/** The event that a new talk is created for. */
export interface TalkEvent {
  readonly id: string;
  /** Title of the event; empty for the event of the current screen. */
  readonly title: string;
}

/** Returns the items that the signed-in user may create, each by opening its form. */
export function newThingsFor(can: Can, event: TalkEvent | undefined): readonly Place[] {
  const form = { open: "new" };
  const places: readonly (Place & { readonly needs: Action })[] = [
    { text: text.newUser, goal: { to: "/users", search: form }, needs: UserService.method.createUser },
    { text: text.newEvent, goal: { to: "/events", search: form }, needs: EventService.method.createEvent },
    ...(event
      ? [
          {
            text: event.title === "" ? text.newTalk : text.newTalkAt(event.title),
            goal: { to: "/events/$eventId/talks", params: { eventId: event.id }, search: form } as const,
            needs: TalkService.method.createTalk,
          },
        ]
      : []),
    {
      text: text.addSong,
      also: text.also.addSong,
      goal: { to: "/music", search: { add: true } },
      needs: MusicService.method.addSongFromYoutube,
    },
    {
      text: text.newPlaylist,
      goal: { to: "/music/playlists", search: form },
      needs: MusicService.method.createPlaylist,
    },
    { text: text.newLight, goal: { to: "/lights", search: form }, needs: LightsService.method.createLight },
    {
      text: text.severalLights,
      goal: { to: "/lights", search: { open: "several" } },
      needs: LightsService.method.addLights,
    },
    {
      text: text.newGroup,
      goal: { to: "/lights", search: { open: "new-group" } },
      needs: LightsService.method.createGroup,
    },
    { text: text.newThread, goal: { to: "/chat", search: form }, needs: ChatService.method.createThread },
  ];
  return places.filter(({ needs }) => can(needs));
}
