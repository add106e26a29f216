import { ensureOwnerLink } from "../community/auth/owner-link.ts";
import { createSignInLink } from "../community/auth/sign-in-links.ts";
import type { Sql } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";
import { heardGrid } from "@followspot/analysis/correct-analysis";
import { NO_WISHES } from "@followspot/contract";
import { png } from "./pictures.ts";
import { analysisAt } from "./songs-by-hand.ts";
import { workspaceOf } from "./workspace-file.ts";
import { ownFixture, type World } from "./world.ts";

/** A valid request of one method, and what it does to the world. */
interface ValidCall {
  /** Made when the call is next; what it needs is made with it. */
  readonly request: (world: World) => object | Promise<object>;
  /** Field of the answer that must hold something. */
  readonly answers?: string;
  /** Tables whose rows are others afterwards, the audit log and the outbox aside; a method that reads has none. */
  readonly tables: readonly string[];
  /** Action that is written to the audit log, once. */
  readonly audits?: string;
  /** Type of an envelope that an Admin hears on /ws/events. */
  readonly tells?: string;
  /** ID in that envelope, if neither the request nor the answer contains one. */
  readonly idIn?: (sql: Sql, request: object) => Promise<string>;
  /** Who calls: an Admin, unless it would end their session; without a sign-in where a secret in the request is enough. */
  readonly by?: "admin" | "member" | "signed out";
}

type Request = ValidCall["request"];
const nothing: Request = () => ({});
const WISHES = JSON.stringify({ ...NO_WISHES, mood: "calm" });
const LOOK = JSON.stringify({
  beats: 16,
  cues: [{ target: "role:wash", at: 0, beats: 16, intent: "fade", palette: ["#ff0000"], params: {}, energy: 0.5 }],
});
/** Names of looks are unique. */
const aLook = () => ({ name: `Look ${newId()}`, look_json: LOOK });
const ofLook = async (world: World) => ({
  look_id: (await world.make("music.v1.MusicService/SaveLook", aLook())).look.id,
});
/** A short one. */
const aFilm = async (world: World) => {
  const stretch = { from: 0, to: 0.2, type: "webp", size: "640x360", look: "flat", sound: false };
  return { song_id: await world.plannedSong(), ...stretch };
};
/** One is made at a time. */
const noFilm = async (world: World) => {
  const { films = [] } = await world.make("music.v1.MusicService/ListFilms", {});
  for (const { id } of films) await world.make("music.v1.MusicService/CancelFilm", { film_id: id });
};
const filmOf = async (world: World): Promise<string> => {
  await noFilm(world);
  return (await world.make("music.v1.MusicService/StartFilm", await aFilm(world))).film.id;
};
const IMAGE = () => png(8, 8).toString("base64");

/** A method that changes nothing. */
const reads = (answers: string, request: Request = nothing): ValidCall => ({ answers, request, tables: [] });
/** A read that draws short codes for attendees without one. */
const drawsCodes = (call: ValidCall): ValidCall => ({ ...call, tables: ["short_codes"] });

/** A change that is written down and told under one name. */
const changes = (entry: string, tables: string, request: Request, more: Partial<ValidCall> = {}): ValidCall => ({
  request,
  tables: tables.split(" ").filter((table) => table !== ""),
  audits: entry,
  tells: entry,
  ...more,
});

/** What members do for themselves is told and not written down. */
const membersOwn = (entry: string, tables: string, request: Request): ValidCall => ({
  request,
  tables: tables.split(" "),
  tells: entry,
});

/** A press on the stage screen of an event. */
const presses = (verb: string, request: Request): ValidCall =>
  changes(`stage_screen.${verb}`, "stage_screens", request);

const ofEvent = async (world: World) => ({ event_id: await world.event() });
const ofListedEvent = async (world: World) => ({ event_id: await world.event({ registration: "open" }) });
const ofTalk = async (world: World) => ({ talk_id: await world.talk() });
const ofUser = async (world: World) => ({ user_id: await world.person() });
const ofLibraryLamp = () => ({ key: "american-dj_5p-hex_qlc" });
const ofLight = async (world: World) => ({ id: await world.light() });
const ARTNET = { protocol: "artnet", host: "127.0.0.1", universe: 1, enabled: true };
const outputOf = async (world: World) =>
  (await world.make("lights.v1.LightsService/SetOutputs", { outputs: [ARTNET] })).outputs[0];
/** Nothing is recorded or replayed. */
const stopped = async (world: World) => {
  for (const method of ["StopReplay", "StopRecording"]) await world.make(`recording.v1.RecordingService/${method}`, {});
};
const recordingOf = async (world: World) => {
  await stopped(world);
  const { recording } = await world.make("recording.v1.RecordingService/StartRecording", { name: "Friday" });
  await stopped(world);
  return { id: recording.id };
};
const setSignUp = (world: World, mode: string) => world.make("user.v1.UserService/SetSignUp", { mode });
const ofGroup = async (world: World) => ({ id: await world.group() });
const ofThread = async (world: World) => ({ thread_id: await world.thread() });
const ofMessage = async (world: World) => ({ message_id: (await world.message()).id });
const ofSong = async (world: World) => ({ song_id: await world.song() });
const ofPlannedSong = async (world: World) => ({ song_id: await world.plannedSong() });
const ofPlaylist = async (world: World) => ({ playlist_id: await world.playlist(await world.song()) });
const ofScreen = (method: string, more: object) => async (world: World) => ({
  event_id: await world.screen(method, more),
});
const ANNOUNCEMENT = { text: "Doors close", seconds: 60 };
const inAnHour = () => new Date(Date.now() + 3600_000).toISOString();
const TIMES = { starts_at: "2026-05-01T20:00:00Z", ends_at: "2026-05-02T02:00:00Z" };
const PAR = { label: "Par", light_type: "generic_rgb_par", mode: "3 channels" };

/**
 * The one table of valid calls. A method that is new in the contract needs a row here: what a good request is, which
 * tables it changes, what is written down and who is told.
 */
export const VALID_CALLS: Readonly<Record<string, ValidCall>> = {
  "accounting.v1.AccountingService/GetBalance": reads("balance", async (world) => ({
    user_id: await world.richPerson(),
  })),
  "accounting.v1.AccountingService/GetStats": reads("totalGold", async (world) => (await world.richPerson(), {})),
  "accounting.v1.AccountingService/ListTransactions": reads("transactions", async (world) => ({ user_id: await world.richPerson(), list: {} })), // prettier-ignore
  "accounting.v1.AccountingService/ProcessTransaction": changes("gold_transaction.granted", "gold_accounts gold_postings gold_transactions", async (world) => ({ to_user_id: await world.person(), amount: 5, idempotency_key: newId() })), // prettier-ignore
  "accounting.v1.AccountingService/SendGold": membersOwn("gold_transaction.transferred", "gold_accounts gold_postings gold_transactions", async (world) => {
    await world.make("accounting.v1.AccountingService/ProcessTransaction", { to_user_id: world.admin.id, amount: 5, idempotency_key: newId() }); // prettier-ignore
    return { to_user_id: await world.person(), amount: 5, idempotency_key: newId() };
  }), // prettier-ignore

  "audit.v1.AuditService/ListAuditEntries": reads("entries", async (world) => ({ target: `user ${await world.deletedPerson()}` })), // prettier-ignore

  "auth.v1.AuthService/ClaimOwner": changes("user.created", "owner_link sessions users", async ({ server }) => {
    await server.sql`update users set is_script = true where 'Admin' = any(roles)`;
    return { token: await ensureOwnerLink(server.sql), name: "Olga", email: `${newId()}@example.org` };
  }, { by: "signed out" }), // prettier-ignore
  "auth.v1.AuthService/EndSession": {
    request: async (world) => {
      const [session] = (await world.make("auth.v1.AuthService/ListSessions", { user_id: await world.person() })).sessions; // prettier-ignore
      return { session_id: session.id };
    },
    tables: ["sessions"],
    audits: "session.ended",
  },
  "auth.v1.AuthService/GetSession": reads("user"),
  "auth.v1.AuthService/GetSignUpMode": { request: nothing, answers: "says", tables: [], by: "signed out" },
  "auth.v1.AuthService/JoinByLink": changes("user.created", "rate_limits sessions users", async (world) => {
    const { signUp } = await world.make("user.v1.UserService/SetSignUp", { mode: "invitation", code_by: "link" });
    return { name: "Jo", target: `${newId().toLowerCase()}@example.org`, invitation: signUp.invitationPath.split("=")[1] };
  }, { by: "signed out" }), // prettier-ignore
  "auth.v1.AuthService/ListStaffCodes": reads("codes", async (world) => {
    await world.make("user.v1.UserService/SetSignUp", { mode: "open", code_by: "staff" });
    await world.server.call("auth.v1.AuthService/SendLoginCode", { target: "staffed@example.org", name: "Sam" });
    return {};
  }),
  "auth.v1.AuthService/ListSessions": reads("sessions", ofUser),
  "auth.v1.AuthService/SendLoginCode": { request: () => ({ target: "nobody@example.org" }), answers: "message", tables: ["login_codes", "rate_limits"], by: "signed out" }, // prettier-ignore
  "auth.v1.AuthService/SignOut": { request: nothing, tables: ["sessions"], audits: "session.ended", by: "member" },
  "auth.v1.AuthService/SignOutEverywhere": { request: ofUser, tables: ["sessions"], audits: "session.ended" },
  "auth.v1.AuthService/UseSignInLink": changes("user.verified", "sessions sign_in_links", async ({ server, person }) => ({ token: await createSignInLink(server.sql, await person()) }), { by: "signed out" }), // prettier-ignore
  "auth.v1.AuthService/VerifyLoginCode": changes("user.verified", "login_codes sessions users", async ({ server }) => {
    const target = `${newId().toLowerCase()}@example.org`;
    await server.person("Vera", [], target);
    await server.call("auth.v1.AuthService/SendLoginCode", { target });
    return { target, code: server.codes.at(-1)?.code };
  }, { by: "signed out" }), // prettier-ignore

  "chat.v1.ChatService/AddMember": membersOwn("thread.joined", "chat_members", async (world) => ({ ...(await ofThread(world)), ...(await ofUser(world)) })), // prettier-ignore
  "chat.v1.ChatService/AddReaction": membersOwn("", "chat_reactions", async (world) => ({ ...(await ofMessage(world)), emoji: "👍" })), // prettier-ignore
  "chat.v1.ChatService/CountUnread": { request: async (world) => (await world.thread(), {}), tables: [] },
  "chat.v1.ChatService/CreateThread": membersOwn("thread.created", "chat_members chat_threads", async (world) => ({ title: "Crew", member_ids: [await world.person()] })), // prettier-ignore
  "chat.v1.ChatService/DeleteMessage": {
    ...membersOwn("thread.updated", "chat_messages", ofMessage),
    idIn: async (sql, request) => {
      const { message_id } = request as { message_id: string };
      const [row] = await sql<{ thread_id: string }[]>`select thread_id from chat_messages where id = ${message_id}`;
      return row!.thread_id; // the message was sent for this call
    },
  },
  "chat.v1.ChatService/EditMessage": membersOwn("thread.updated", "chat_messages", async (world) => ({ ...(await ofMessage(world)), text: "Hello again" })), // prettier-ignore
  "chat.v1.ChatService/FindPeople": reads("people", async (world) => (await world.person("Zora"), { query: "Zora" })),
  "chat.v1.ChatService/GetThread": reads("thread", ofThread),
  "chat.v1.ChatService/JoinEventThread": membersOwn("thread.joined", "chat_members chat_threads", ofEvent),
  "chat.v1.ChatService/ListAllThreads": reads("threads", async (world) => (await world.thread(), { list: {} })),
  "chat.v1.ChatService/ListMessages": reads("messages", async (world) => ({ thread_id: (await world.message()).threadId })), // prettier-ignore
  "chat.v1.ChatService/ListThreads": reads("threads", async (world) => (await world.thread(), { list: {} })),
  "chat.v1.ChatService/MarkRead": { request: async (world) => {
    const { id, threadId } = await world.message();
    await world.server.sql`update chat_members set read_number = 0 where thread_id = ${threadId}`;
    return { thread_id: threadId, message_id: id };
  }, tables: ["chat_members"] }, // prettier-ignore
  "chat.v1.ChatService/RemoveMember": membersOwn("thread.left", "chat_members", async (world) => {
    const { thread_id } = await ofThread(world);
    const user_id = await world.person();
    await world.make("chat.v1.ChatService/AddMember", { thread_id, user_id });
    return { thread_id, user_id };
  }), // prettier-ignore
  "chat.v1.ChatService/RemoveReaction": membersOwn("", "chat_reactions", async (world) => {
    const reaction = { ...(await ofMessage(world)), emoji: "👍" };
    await world.make("chat.v1.ChatService/AddReaction", reaction);
    return reaction;
  }), // prettier-ignore
  "chat.v1.ChatService/SendMessage": membersOwn("thread.updated", "chat_members chat_messages chat_threads", async (world) => ({ ...(await ofThread(world)), text: "Hello" })), // prettier-ignore
  "chat.v1.ChatService/SendTyping": { request: ofThread, tables: [] },
  "chat.v1.ChatService/UpdateThread": membersOwn("thread.updated", "chat_threads", async (world) => ({ ...(await ofThread(world)), title: "Team" })), // prettier-ignore

  "director.v1.DirectorService/AnnouncePlayer": presses("player_announced", async (world) => ({ ...(await ofEvent(world)), player_id: await world.person() })), // prettier-ignore
  "director.v1.DirectorService/CreateStageLink": changes("stage_link.created", "stage_links", ofEvent),
  "director.v1.DirectorService/EndAnnouncement": presses(
    "announcement_ended",
    ofScreen("MakeAnnouncement", ANNOUNCEMENT),
  ),
  "director.v1.DirectorService/EndTalk": presses("talk_ended", async (world) => {
    const { event_id, talk_id } = await world.programme();
    await world.make("director.v1.DirectorService/PushTalk", { event_id, talk_id });
    return { event_id };
  }), // prettier-ignore
  "director.v1.DirectorService/GetStageLink": reads("link", ofScreen("CreateStageLink", {})),
  "director.v1.DirectorService/GetStageScreen": reads("screen", ofEvent),
  "director.v1.DirectorService/GoHome": presses("sent_home", ofScreen("ShowLeaderboard", {})),
  "director.v1.DirectorService/ListPlayers": reads(
    "players",
    async (world) => (await world.richPerson(), { list: {} }),
  ),
  "director.v1.DirectorService/ListStageScreens": reads("screens", async (world) => (await world.screen("GoHome"), {})),
  "director.v1.DirectorService/MakeAnnouncement": presses("announcement_made", async (world) => ({ ...(await ofEvent(world)), ...ANNOUNCEMENT })), // prettier-ignore
  "director.v1.DirectorService/PushTalk": presses("talk_pushed", (world) => world.programme()),
  "director.v1.DirectorService/ShowLamps": presses("lamps_changed", async (world) => ({ ...(await ofEvent(world)), shown: true })), // prettier-ignore
  "director.v1.DirectorService/ShowLeaderboard": presses("leaderboard_shown", ofEvent),
  "director.v1.DirectorService/StartTimer": presses("timer_started", async (world) => ({ ...(await ofEvent(world)), seconds: 60 })), // prettier-ignore
  "director.v1.DirectorService/StopTimer": presses("timer_stopped", ofScreen("StartTimer", { seconds: 60 })),
  "director.v1.DirectorService/UpdateStatus": presses("status_updated", async (world) => ({ ...(await ofEvent(world)), status: "Soon" })), // prettier-ignore
  "director.v1.DirectorService/WithdrawStageLink": changes("stage_link.withdrawn", "stage_links", ofScreen("CreateStageLink", {})), // prettier-ignore

  "event.v1.EventService/CancelRegistration": changes("registration.cancelled", "registrations", (world) =>
    world.registered(),
  ),
  "event.v1.EventService/CountRegistrations": reads("counts", ofListedEvent),
  "event.v1.EventService/GetEventInvitation": reads("path", async (world) => {
    const event = await ofEvent(world);
    await world.make("event.v1.EventService/RenewEventInvitation", event);
    return event;
  }),
  "event.v1.EventService/GetMyRegistration": reads("registration", async (world) => {
    const event = await ofListedEvent(world);
    await world.make("event.v1.EventService/Register", event);
    return event;
  }),
  "event.v1.EventService/ListPersonEvents": reads("events", async (world) => ({ user_id: (await world.registered()).user_id })), // prettier-ignore
  "event.v1.EventService/ListRegistrations": reads("registrations", async (world) => ({ event_id: (await world.registered()).event_id })), // prettier-ignore
  "event.v1.EventService/Register": membersOwn("registration.created", "registrations", ofListedEvent),
  "event.v1.EventService/RegisterPerson": changes("registration.created", "registrations", async (world) => ({ ...(await ofListedEvent(world)), ...(await ofUser(world)) })), // prettier-ignore
  "event.v1.EventService/RenewEventInvitation": changes("event_invitation.renewed", "event_invitations", ofEvent),
  "event.v1.EventService/SettleScans": changes("check_in.created", "check_ins", async (world) => {
    const [event_id, user_id] = [await world.event(), await world.person()];
    return { event_id, scans: [{ code: world.codeOf(user_id, event_id), scanned_at: new Date().toISOString() }] };
  }),
  "event.v1.EventService/CountCheckIns": reads("counts", ofEvent),
  "event.v1.EventService/CountEvents": reads("counts"),
  "event.v1.EventService/CreateEvent": changes("event.created", "events", () => ({ title: "Night", ...TIMES })),
  "event.v1.EventService/DeleteEvent": changes("event.deleted", "events", ofEvent),
  "event.v1.EventService/DuplicateEvent": changes("event.created", "events", async (world) => ({ ...(await ofEvent(world)), title: "Night", ...TIMES })), // prettier-ignore
  "event.v1.EventService/GetEvent": reads("event", ofEvent),
  "event.v1.EventService/GetMyCode": drawsCodes(reads("code", ofEvent)),
  "event.v1.EventService/ListAttendeeCodes": drawsCodes(reads("codes", ofEvent)),
  "event.v1.EventService/ListCheckIns": reads("checkIns", async (world) => ({ event_id: (await world.checkedIn()).event_id })), // prettier-ignore
  "event.v1.EventService/ListEvents": reads("events", async (world) => (await world.event(), { list: {} })),
  "event.v1.EventService/RestoreEvent": changes("event.restored", "events", async (world) => {
    const event = await ofEvent(world);
    await world.make("event.v1.EventService/DeleteEvent", event);
    return event;
  }), // prettier-ignore
  "event.v1.EventService/ScanQr": changes("check_in.created", "check_ins", async (world) => {
    const event_id = await world.event();
    return { event_id, code: world.codeOf(await world.person(), event_id) };
  }), // prettier-ignore
  "event.v1.EventService/UndoCheckIn": changes("check_in.undone", "check_ins", (world) => world.checkedIn()),
  "event.v1.EventService/UpdateEvent": changes("event.updated", "events", async (world) => ({ ...(await ofEvent(world)), title: "Late night" })), // prettier-ignore
  "event.v1.EventService/UploadBanner": changes("event.updated", "events images", async (world) => ({ ...(await ofEvent(world)), banner_base64: IMAGE() })), // prettier-ignore

  "firststeps.v1.FirstStepsService/GetFirstSteps": reads("steps"),
  "firststeps.v1.FirstStepsService/HideFirstSteps": { request: async (world) => (await world.demoNight("none"), { is_hidden: true }), tables: ["first_steps"], audits: "first_steps.hidden" }, // prettier-ignore
  "firststeps.v1.FirstStepsService/MakeDemoNight": { request: async (world) => (await world.emptied(), {}), tables: ["first_steps"], audits: "demo_night.wanted" }, // prettier-ignore
  "firststeps.v1.FirstStepsService/RemoveDemoNight": { request: async (world) => (await world.demoNight("made"), {}), tables: ["first_steps"], audits: "demo_night.unwanted" }, // prettier-ignore

  "guest.v1.GuestService/GetPublicEvent": { request: async (world) => ({ event_id: await world.event({ public_page: "open" }) }), answers: "event", tables: [], by: "signed out" }, // prettier-ignore
  "guest.v1.GuestService/GetMyNight": drawsCodes(reads("night", async (world) => (await world.opened("ask"), ofEvent(world)))), // prettier-ignore

  "lights.v1.LightsService/AddLights": changes("light.added", "lights rig_revision", () => ({ light_type: PAR.light_type, mode: PAR.mode, count: 2, label: "Par" })), // prettier-ignore
  "lights.v1.LightsService/CalculateDMXAddress": reads("dmxAddress", () => ({ position: "1", channel_count: 4 })),
  "lights.v1.LightsService/CheckDMXConflict": { request: () => ({ dmx_address: 500, channel_count: 4, universe: 9 }), tables: [] }, // prettier-ignore
  "lights.v1.LightsService/CountFixtures": reads("counts"),
  "lights.v1.LightsService/CountLights": reads("counts"),
  "lights.v1.LightsService/CreateGroup": changes("light_group.created", "light_group_members light_groups rig_revision", async (world) => ({ id: newId().toLowerCase(), name: "Spot", type: "spot", fixture_ids: [await world.light()] })), // prettier-ignore
  "lights.v1.LightsService/CreateLight": changes("light.created", "lights rig_revision", () => PAR),
  "lights.v1.LightsService/DeleteFixture": changes("fixture.deleted", "fixture_definitions", async (world) => ({ id: await world.fixture() })), // prettier-ignore
  "lights.v1.LightsService/CreateOutput": changes("output.created", "outputs rig_revision", () => ({ output: { ...ARTNET, port_address: 1 } })), // prettier-ignore
  "lights.v1.LightsService/DeleteGroup": changes("light_group.deleted", "light_group_members light_groups rig_revision", ofGroup), // prettier-ignore
  "lights.v1.LightsService/DeleteLight": changes("light.deleted", "lights rig_revision", ofLight),
  "lights.v1.LightsService/DeleteLights": changes("light.deleted", "lights rig_revision", async (world) => ({ ids: [await world.light()] })), // prettier-ignore
  "lights.v1.LightsService/EditLights": changes("light.updated", "lights rig_revision", async (world) => ({ ids: [await world.light()], enabled: false })), // prettier-ignore
  "lights.v1.LightsService/RestoreLights": changes("light.restored", "lights rig_revision", async (world) => {
    const { light } = await world.make("lights.v1.LightsService/GetLight", await ofLight(world));
    await world.make("lights.v1.LightsService/DeleteLights", { ids: [light.id] });
    return { lights: [light] };
  }), // prettier-ignore
  "lights.v1.LightsService/DeleteOutput": changes("output.deleted", "outputs rig_revision", async (world) => ({ id: (await outputOf(world)).id })), // prettier-ignore
  "lights.v1.LightsService/FindNodes": reads("searchingUntil"),
  "lights.v1.LightsService/GetAIInsights": reads("insights", ofPlannedSong),
  "lights.v1.LightsService/GetFixture": reads("fixture", async (world) => ({ id: (await world.make("lights.v1.LightsService/ListFixtures", {})).fixtures[0].id })), // prettier-ignore
  "lights.v1.LightsService/GetGroup": reads("group", ofGroup),
  "lights.v1.LightsService/GetGroupLights": reads("lights", ofGroup),
  "lights.v1.LightsService/GetLight": reads("light", ofLight),
  "lights.v1.LightsService/GetLibraryLamp": reads("modes", ofLibraryLamp),
  "lights.v1.LightsService/GetLightModes": reads("modes", () => ({ light_type: PAR.light_type })),
  "lights.v1.LightsService/GetNextDMXAddress": reads("dmxAddress", () => ({ channel_count: 4 })),
  "lights.v1.LightsService/GetLightOnStage": reads("holder", ofLight),
  "lights.v1.LightsService/GetOutputHealth": reads("notices"),
  "lights.v1.LightsService/GetPatternContext": reads("patterns", ofPlannedSong),
  "lights.v1.LightsService/GetPatternHistory": reads("patterns", ofPlannedSong),
  "lights.v1.LightsService/ImportPatch": changes("light.imported", "lights rig_revision", () => ({ workspace_base64: workspaceOf({ name: "Dimmer", universe: 40 }), apply: true, fixture_ids: [0] })), // prettier-ignore
  "lights.v1.LightsService/ListFixtures": reads("fixtures"),
  "lights.v1.LightsService/ListGroups": reads("groups", async (world) => (await world.group(), {})),
  "lights.v1.LightsService/ListLightTypes": reads("types"),
  "lights.v1.LightsService/ListLights": reads("lights", async (world) => (await world.light(), {})),
  "lights.v1.LightsService/ListOutputs": { request: nothing, tables: [] },
  "lights.v1.LightsService/PlaceLights": changes("light.placed", "lights rig_revision", async (world) => ({ places: [{ light_id: await world.light(), x: 0.5, y: 0.2 }] })), // prettier-ignore
  "lights.v1.LightsService/ReorderLights": changes("light.reordered", "lights rig_revision", async (world) => {
    await world.light();
    const { lights } = await world.make("lights.v1.LightsService/ListLights", {});
    return { ids: lights.map(({ id }: { id: number }) => id).toReversed() };
  }), // prettier-ignore
  "lights.v1.LightsService/SaveFixture": changes("fixture.created", "fixture_definitions", () => ({ definition_json: ownFixture() })), // prettier-ignore
  "lights.v1.LightsService/SearchLampLibrary": reads("lamps"),
  "lights.v1.LightsService/SetOutputs": changes("output.changed", "outputs rig_revision", () => ({ outputs: [ARTNET] })), // prettier-ignore
  "lights.v1.LightsService/TestOutput": reads("holder", async (world) => ({ id: (await outputOf(world)).id })),
  "lights.v1.LightsService/UseLibraryLamp": changes("fixture.imported", "fixture_definitions", ofLibraryLamp),
  "lights.v1.LightsService/UpdateOutput": changes("output.updated", "outputs rig_revision", async (world) => ({ output: { ...(await outputOf(world)), label: "Truss" } })), // prettier-ignore
  "lights.v1.LightsService/UpdateGroup": changes("light_group.updated", "light_groups rig_revision", async (world) => ({ ...(await ofGroup(world)), name: "Back" })), // prettier-ignore
  "lights.v1.LightsService/UpdateLight": changes("light.updated", "lights rig_revision", async (world) => ({ ...(await ofLight(world)), label: "Back" })), // prettier-ignore

  "music.v1.MusicService/AddDemoSong": changes("song.created", "song_jobs songs", async (world) => {
    // The same bytes are one song: it has to be deleted before.
    const { songs } = await world.make("music.v1.MusicService/ListSongs", { list: { query: "Harbour Lights" } });
    for (const { id } of songs ?? []) await world.make("music.v1.MusicService/DeleteSong", { song_id: id });
    return {};
  }),
  "music.v1.MusicService/AddSongFromYoutube": changes("song.created", "song_jobs songs", () => ({ url: `https://youtu.be/${newId().slice(-11)}` })), // prettier-ignore
  "music.v1.MusicService/AddSongToPlaylist": changes("playlist.updated", "playlist_songs", async (world) => ({ ...(await ofPlaylist(world)), ...(await ofSong(world)) })), // prettier-ignore
  "music.v1.MusicService/BroadcastSong": changes("queue.started", "played_songs show_queue", ofSong),
  "music.v1.MusicService/CancelSong": changes("song.cancelled", "song_jobs songs", async (world) => ({ song_id: await world.waitingSong() })), // prettier-ignore
  "music.v1.MusicService/CountSongs": reads("counts"),
  "music.v1.MusicService/CreatePlaylist": changes("playlist.created", "playlists", () => ({ name: "Friday" })),
  "music.v1.MusicService/CreateSong": changes("song.created", "song_jobs songs", () => ({ title: "Song", artist: "Band", ytid: newId().slice(-11) })), // prettier-ignore
  "music.v1.MusicService/DeletePlaylist": changes("playlist.deleted", "playlist_songs playlists", ofPlaylist),
  "music.v1.MusicService/DeleteSong": changes("song.deleted", "songs", ofSong),
  "music.v1.MusicService/GetDownloader": reads("downloaders"),
  "music.v1.MusicService/GetLEDPaletteAlternatives": reads("alternatives", ofPlannedSong),
  "music.v1.MusicService/GetPlaylist": reads("playlist", ofPlaylist),
  "music.v1.MusicService/GetShowQueue": reads("queue"),
  "music.v1.MusicService/GetShowWishes": reads("wishesJson", ofSong),
  "music.v1.MusicService/GetSong": reads("song", ofSong),
  "music.v1.MusicService/GetSongColorPalette": reads("palette", ofPlannedSong),
  "music.v1.MusicService/GetSongCorrections": reads("message", ofSong),
  "music.v1.MusicService/GetSongLighting": reads("lightingPlanJson", ofPlannedSong),
  "music.v1.MusicService/GetSongProcessingStatus": reads("analysisStatus", ofSong),
  "music.v1.MusicService/DeleteLook": changes("look.deleted", "looks", ofLook),
  "music.v1.MusicService/CancelFilm": { request: async (world) => ({ film_id: await filmOf(world) }), tables: [] },
  "music.v1.MusicService/ListFilms": reads("films", async (world) => (await filmOf(world), {})),
  "music.v1.MusicService/StartFilm": reads("film", async (world) => (await noFilm(world), aFilm(world))),
  "music.v1.MusicService/ListLooks": reads("looks", async (world) => (await ofLook(world), {})),
  "music.v1.MusicService/RenameLook": changes("look.updated", "looks", async (world) => ({ ...(await ofLook(world)), name: `Look ${newId()}` })), // prettier-ignore
  "music.v1.MusicService/SaveLook": changes("look.created", "looks", aLook),
  "music.v1.MusicService/ListPlanRevisions": reads("revisions", ofPlannedSong),
  "music.v1.MusicService/ListPlaylists": reads("playlists", async (world) => (await world.playlist(), {})),
  "music.v1.MusicService/ListSongSteps": reads("steps", ofPlannedSong),
  "music.v1.MusicService/ListSongs": reads("songs", async (world) => (await world.song(), { list: {} })),
  "music.v1.MusicService/ListVideoPlaylist": reads("hits", () => ({ url: "https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa" })), // prettier-ignore
  "music.v1.MusicService/PlayPlaylist": changes("queue.started", "played_songs playlist_songs show_queue", ofPlaylist),
  "music.v1.MusicService/SetWalkIn": changes("playlist.updated", "playlists", async (world) => ({ ...(await ofPlaylist(world)), is_walk_in: true })), // prettier-ignore
  "music.v1.MusicService/PlayWalkIn": changes("queue.started", "played_songs playlist_songs show_queue", async (world) => (await world.walkIn(), {})), // prettier-ignore
  "music.v1.MusicService/StopWalkIn": changes("queue.stopped", "played_songs show_queue", async (world) => {
    await world.walkIn();
    await world.make("music.v1.MusicService/PlayWalkIn", {});
    return {};
  }),
  "music.v1.MusicService/RegenerateColorPalette": changes("song.recoloured", "song_palettes", async (world) => ({ ...(await ofPlannedSong(world)), harmony_type: "triadic" })), // prettier-ignore
  "music.v1.MusicService/RemoveSongFromPlaylist": changes("playlist.updated", "playlist_songs", (world) =>
    world.listed(),
  ),
  "music.v1.MusicService/RenamePlaylist": changes("playlist.updated", "playlists", async (world) => ({ ...(await ofPlaylist(world)), name: "Saturday" })), // prettier-ignore
  "music.v1.MusicService/RestorePlanRevision": changes("song.reverted", "song_jobs song_wishes songs", async (world) => {
    const song = await ofPlannedSong(world);
    await world.make("music.v1.MusicService/UpdateShowWishes", { ...song, wishes_json: WISHES });
    return { ...song, number: 1 };
  }), // prettier-ignore
  "music.v1.MusicService/RestoreSong": changes("song.restored", "songs", async (world) => {
    const song = await ofSong(world);
    await world.make("music.v1.MusicService/DeleteSong", song);
    return song;
  }), // prettier-ignore
  "music.v1.MusicService/RetrySong": changes("song.retried", "song_jobs songs", async (world) => ({ ...(await ofPlannedSong(world)), step: "lighting" })), // prettier-ignore
  "music.v1.MusicService/SaveSongCorrections": changes("song.corrected", "song_corrections song_jobs songs", async (world) => {
    const { song_id } = await ofPlannedSong(world);
    const corrections = { version: 1, heard: heardGrid(analysisAt(song_id, 70)), edits: [{ kind: "tempo", factor: "2" }] };
    return { song_id, corrections_json: JSON.stringify(corrections) };
  }), // prettier-ignore
  "music.v1.MusicService/SearchYoutube": reads("hits", () => ({ query: "song" })),
  "music.v1.MusicService/SelectLEDPalette": changes("song.recoloured", "song_jobs song_palettes songs", async (world) => ({ ...(await ofPlannedSong(world)), palette_id: "harmony" })), // prettier-ignore
  "music.v1.MusicService/SkipSong": changes("queue.skipped", "played_songs playlist_songs show_queue", async (world) => (await world.playing(), {})), // prettier-ignore
  "music.v1.MusicService/PauseMusic": changes(
    "queue.paused",
    "played_songs show_queue",
    async (world) => (await world.playing(), {}),
  ),
  "music.v1.MusicService/ResumeMusic": changes("queue.resumed", "played_songs show_queue", async (world) => {
    await world.playing();
    await world.make("music.v1.MusicService/PauseMusic", {});
    return {};
  }),
  "music.v1.MusicService/SeekMusic": changes("queue.moved", "played_songs show_queue", async (world) => (await world.playing(), { position: 1 })), // prettier-ignore
  "music.v1.MusicService/SetPlaylistOrder": changes("playlist.updated", "playlist_songs", async (world) => {
    const { playlist_id, song_id } = await world.listed();
    return { playlist_id, song_ids: [song_id] };
  }),
  "music.v1.MusicService/SetPlaylistTransition": changes("playlist.updated", "playlists", async (world) => ({ ...(await ofPlaylist(world)), gap_seconds: -4 })), // prettier-ignore
  "music.v1.MusicService/StopMusic": changes(
    "queue.stopped",
    "played_songs show_queue",
    async (world) => (await world.playing(), {}),
  ),
  "music.v1.MusicService/UpdateShowWishes": changes("song.restyled", "song_jobs song_wishes songs", async (world) => ({ ...(await ofSong(world)), wishes_json: WISHES })), // prettier-ignore
  "music.v1.MusicService/UpdateSong": changes("song.updated", "songs", async (world) => ({ ...(await ofSong(world)), title: "Other" })), // prettier-ignore
  "music.v1.MusicService/VotePlaylistSong": membersOwn("playlist.voted", "playlist_songs playlist_votes", async (world) => ({ ...(await world.listed()), up: true })), // prettier-ignore
  "music.v1.MusicService/ListSongRequests": reads("requests", async (world) => (await world.request(), {})),
  "music.v1.MusicService/RequestSong": membersOwn("song_request.created", "song_requests", async (world) => {
    const song_id = await world.song();
    await world.opened("ask");
    return { song_id };
  }),
  "music.v1.MusicService/WithdrawSongRequest": membersOwn("song_request.withdrawn", "song_requests", async (world) => ({ request_id: await world.request() })), // prettier-ignore
  "music.v1.MusicService/DecideSongRequest": changes("song_request.refused", "song_requests", async (world) => ({ request_id: await world.request() })), // prettier-ignore
  "music.v1.MusicService/SetSongRequests": changes("playlist.updated", "playlists", async (world) => ({ playlist_id: await world.opened("ask"), requests: "open" })), // prettier-ignore

  "night.v1.NightService/CheckPreflight": reads("lines"),
  "night.v1.NightService/ForgetLampsSeen": changes("preflight.lamps_forgotten", "lamps_seen", async (world) => {
    await world.make("night.v1.NightService/NoteLampSeen", { light_id: await world.light(), is_seen: true });
    return {};
  }),
  "night.v1.NightService/GetNightReport": reads("report", ofEvent),
  "night.v1.NightService/GetRehearsalProgress": { request: nothing, tables: [] },
  "night.v1.NightService/NoteLampSeen": changes("preflight.lamp_seen", "lamps_seen", async (world) => ({ light_id: await world.light(), is_seen: true })), // prettier-ignore
  "night.v1.NightService/RehearseNight": reads("moments", ofEvent),
  "sound.v1.SoundService/CreatePlayerLink": changes("sound.link_created", "pa_player", nothing),
  "sound.v1.SoundService/GetSound": reads("sound"),
  "sound.v1.SoundService/SetSound": changes("sound.updated", "pa_player", () => ({ volume: Math.random() })),
  "sound.v1.SoundService/WithdrawPlayerLink": changes("sound.link_withdrawn", "pa_player", async (world) => {
    await world.make("sound.v1.SoundService/CreatePlayerLink", {});
    return {};
  }),

  "queues.v1.QueuesService/ListFailureGroups": reads("groups", async (world) => ({ query: (await world.failedSong()).song_id })), // prettier-ignore
  "queues.v1.QueuesService/GetMessage": reads("message", async (world) => ({ stream: "EVENTS", sequence: await world.storedMessage() })), // prettier-ignore
  "queues.v1.QueuesService/ListMessages": reads("messages", async (world) => (await world.storedMessage(), { stream: "EVENTS" })), // prettier-ignore
  "queues.v1.QueuesService/ListFailures": reads("failures", async (world) => ({ key: (await world.failedSong()).key })),
  "queues.v1.QueuesService/PauseQueue": { request: () => ({ queue: "STEMS", until: inAnHour() }), tables: ["queue_pauses"], audits: "message_queue.paused" }, // prettier-ignore
  "queues.v1.QueuesService/DismissFailures": {
    request: async (world) => ({ causes: [{ key: (await world.failedSong()).key, up_to: 1_000_000_000 }] }),
    tables: [],
    audits: "message_queue.failures_dismissed",
  },
  "queues.v1.QueuesService/PurgeQueue": { request: () => ({ queue: "STEMS", confirm_name: "STEMS" }), tables: [], audits: "message_queue.purged" }, // prettier-ignore
  "queues.v1.QueuesService/ReplayMessage": {
    request: async (world) => {
      const sequence = await world.storedMessage();
      const { message } = await world.make("queues.v1.QueuesService/GetMessage", { stream: "EVENTS", sequence });
      return { stream: "EVENTS", sequence, body: message.body, replay_id: newId() };
    },
    tables: [],
    audits: "message_queue.replayed",
  },
  "queues.v1.QueuesService/ResumeQueue": {
    request: async (world) => {
      await world.make("queues.v1.QueuesService/PauseQueue", { queue: "STEMS", until: inAnHour() });
      return { queue: "STEMS" };
    },
    tables: ["queue_pauses"],
    audits: "message_queue.resumed",
  },
  "queues.v1.QueuesService/RetryFailures": changes("song.retried", "song_jobs songs", async (world) => ({ key: (await world.failedSong()).key }), { tells: "" }), // prettier-ignore

  "queues.v1.QueuesService/ListWorkers": reads("workers", async (world) => (await world.worker(), {})),
  "queues.v1.QueuesService/AddWorker": { request: () => ({ name: newId() }), tables: ["workers"], audits: "worker.added" }, // prettier-ignore
  "queues.v1.QueuesService/RenameWorker": { request: async (world) => ({ ...(await world.worker()), name: newId() }), tables: ["workers"], audits: "worker.renamed" }, // prettier-ignore
  "queues.v1.QueuesService/RevokeWorker": { request: (world) => world.worker(), tables: ["workers"], audits: "worker.revoked" }, // prettier-ignore
  "queues.v1.QueuesService/LetWorkerWork": { request: (world) => world.workerAside(), tables: ["workers"], audits: "worker.let_work" }, // prettier-ignore

  "recording.v1.RecordingService/DeleteRecording": changes("recording.deleted", "", recordingOf),
  "recording.v1.RecordingService/ListRecordings": reads("recordings", async (world) => (await recordingOf(world), {})),
  "recording.v1.RecordingService/StartRecording": changes("recording.started", "", async (world) => (await stopped(world), { name: "Friday" })), // prettier-ignore
  "recording.v1.RecordingService/StartReplay": changes("recording.replayed", "", recordingOf),
  "recording.v1.RecordingService/StopRecording": changes("recording.stopped", "", async (world) => (await stopped(world), await world.make("recording.v1.RecordingService/StartRecording", {}), {})), // prettier-ignore
  "recording.v1.RecordingService/StopReplay": { request: nothing, tables: [] },

  "talk.v1.TalkService/CountTalks": reads("counts"),
  "talk.v1.TalkService/CreateTalk": changes("talk.created", "talks", async (world) => ({ title: "Talk", ...(await ofEvent(world)) })), // prettier-ignore
  "talk.v1.TalkService/DeleteTalk": changes("talk.deleted", "talks", ofTalk),
  "talk.v1.TalkService/GetTalk": reads("talk", ofTalk),
  "talk.v1.TalkService/GiveFeedback": { request: async (world) => ({ ...(await ofTalk(world)), text: "Great", rating: 5 }), tables: ["talk_feedback"], tells: "feedback.given" }, // prettier-ignore
  "talk.v1.TalkService/CountFeedback": reads("counts", ofTalk),
  "talk.v1.TalkService/ListFeedback": reads("feedback", async (world) => {
    const talk = await ofTalk(world);
    await world.make("talk.v1.TalkService/GiveFeedback", { ...talk, text: "Great", rating: 5 });
    return talk;
  }),
  "talk.v1.TalkService/ListTalks": reads("talks", async (world) => (await world.talk(), { list: {} })),
  "talk.v1.TalkService/RestoreTalk": changes("talk.restored", "talks", async (world) => ({ talk_id: await world.deletedTalk() })), // prettier-ignore
  "talk.v1.TalkService/Unvote": membersOwn("talk.voted", "talk_votes talks", async (world) => {
    const talk = await ofTalk(world);
    await world.make("talk.v1.TalkService/Vote", talk);
    return talk;
  }), // prettier-ignore
  "talk.v1.TalkService/UpdateTalk": changes("talk.updated", "talks", async (world) => ({ ...(await ofTalk(world)), title: "Other" })), // prettier-ignore
  "talk.v1.TalkService/UploadTalkImage": changes("talk.updated", "images talks", async (world) => ({ ...(await ofTalk(world)), image_base64: IMAGE() })), // prettier-ignore
  "talk.v1.TalkService/Vote": membersOwn("talk.voted", "talk_votes talks", ofTalk),

  "user.v1.UserService/CountUsers": reads("counts"),
  "user.v1.UserService/CreateUser": changes("user.created", "users", () => ({ name: "Cy" })),
  "user.v1.UserService/DeleteUser": changes("user.deleted", "sessions users", ofUser),
  "user.v1.UserService/DeleteMyAccount": { request: () => ({ confirm_name: "Sam" }), tables: ["sessions", "users"], audits: "user.deleted", by: "member" }, // prettier-ignore
  "user.v1.UserService/ExportMyData": reads("json"),
  "user.v1.UserService/FindSimilarUsers": { request: ofUser, tables: [] },
  "user.v1.UserService/GetSignUp": reads("signUp"),
  "user.v1.UserService/GetUser": reads("user", ofUser),
  "user.v1.UserService/ImportUsers": changes("user.created", "users", () => ({ rows: [{ name: "Cy" }] })),
  "user.v1.UserService/ListUsers": reads("users", () => ({ list: {} })),
  "user.v1.UserService/PurgeUser": changes("user.purged", "sessions users", async (world) => ({ user_id: await world.deletedPerson() })), // prettier-ignore
  "user.v1.UserService/RenewInvitation": changes("sign_up.link_renewed", "sign_up", async (world) => (await setSignUp(world, "invitation"), {})), // prettier-ignore
  "user.v1.UserService/RestoreUser": changes("user.restored", "users", async (world) => ({ user_id: await world.deletedPerson() })), // prettier-ignore
  "user.v1.UserService/SetSignUp": changes("sign_up.changed", "sign_up", async (world) => (await setSignUp(world, "closed"), { mode: "open" })), // prettier-ignore
  "user.v1.UserService/UpdateUser": changes("user.updated", "users", async (world) => ({ ...(await ofUser(world)), bio: "Dances" })), // prettier-ignore
  "user.v1.UserService/UploadPhoto": changes("user.updated", "images users", async (world) => ({ ...(await ofUser(world)), photo_base64: IMAGE() })), // prettier-ignore

  "venue.v1.VenueService/ListVenues": reads("venues", async (world) => (await world.venue(), {})),
  "venue.v1.VenueService/AddVenue": { request: () => ({ name: newId() }), tables: ["venues"], audits: "venue.added" },
  "venue.v1.VenueService/SetTonight": { request: async (world) => ({ ...(await world.venue()), event_id: await world.event(), playlist_ids: [(await world.listed()).playlist_id] }), tables: ["venue_playlists", "venues"], audits: "venue.set_tonight" }, // prettier-ignore
  "venue.v1.VenueService/RevokeVenue": {
    request: (world) => world.venue(),
    tables: ["venues"],
    audits: "venue.revoked",
  },
  "venue.v1.VenueService/GetBox": reads("box", async (world) => (await world.box(), {})),
  "venue.v1.VenueService/HandBackLamps": { request: async (world) => (await world.lampPart("leads"), {}), tables: ["lamp_part", "rig_revision"], audits: "lamps.handed_back" }, // prettier-ignore
  "venue.v1.VenueService/TakeLamps": { request: async (world) => (await world.lampPart("follows"), {}), tables: ["lamp_part", "rig_revision"], audits: "lamps.taken" }, // prettier-ignore
};
