import { getOption, ScalarType, type DescField, type DescMethod } from "@bufbuild/protobuf";
import { Access, access } from "./gen/followspot/access/v1/access_pb.js";

/** Codes by which the server refuses, and the HTTP status each of them comes with (Connect protocol). */
export const ERROR_STATUS = {
  invalid_argument: 400,
  failed_precondition: 400,
  out_of_range: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One way in which a method refuses. */
export interface MethodError {
  readonly code: ErrorCode;
  /** A sentence. */
  readonly when: string;
  /** A sentence that says what the caller does next. */
  readonly todo: string;
}

/** What to do about a code, and when a method answers it where nothing of its own is said. */
const WORDS: Readonly<Record<ErrorCode, Omit<MethodError, "code">>> = {
  invalid_argument: {
    when: "A field is missing, too long, of the wrong kind or unknown.",
    todo: "The message begins with the path of the field as in JSON, or is a sentence of the form that names it: correct it, and call again.",
  },
  failed_precondition: { when: "", todo: "Change what the message names first: the same call would be refused again." },
  out_of_range: { when: "", todo: "Take a smaller number, or the place that the message names." },
  unauthenticated: { when: "The call carries no valid token or session.", todo: "Sign in, and call again." },
  permission_denied: {
    when: "The caller has none of the roles named under Access, or the thing is not theirs.",
    todo: "Ask an Admin for the role.",
  },
  not_found: { when: "Nothing has the id, or it was deleted.", todo: "Read the list again." },
  already_exists: { when: "", todo: "Use the one that is there, or choose another name, address or key." },
  aborted: {
    when: "Another person changed it since it was read.",
    todo: "Read it again, make the change again, and send what you read this time along.",
  },
  resource_exhausted: {
    when: "Too many calls came from this network, or the request is too large.",
    todo: "Wait for the seconds of Retry-After, where the answer has it, then call again.",
  },
  internal: {
    when: "The server failed. Its log says why, under the x-request-id of the answer.",
    todo: "Call again once; then tell the operator of the server the x-request-id.",
  },
  unavailable: {
    when: "The database, or a part that the call needs, is away for the moment.",
    todo: "Call again in a few seconds.",
  },
};

/** Any call may meet these. */
const OF_ANY_CALL = ["resource_exhausted", "internal", "unavailable"] as const;

const OTHER_DRIVES = "Or the other machine of a standby pair drives the lamps.";
const NOTHING_PLAYS = `Nothing plays. ${OTHER_DRIVES}`;

/**
 * What single methods refuse for by the state of things, as `Service/Method`. In tests of the server an answer that is
 * not named here is a failure (`refuseUnnamed` in apps/server/src/testing/methods.ts).
 */
export const REFUSALS: Readonly<Record<string, Partial<Record<ErrorCode, string>>>> = {
  "AccountingService/GetBalance": { permission_denied: "It is another person's gold." },
  "AccountingService/ListTransactions": { permission_denied: "It is another person's gold." },
  "AccountingService/ProcessTransaction": {
    already_exists: "The transaction was refunded before, or the idempotency key stands for another one.",
    failed_precondition: "A person has not enough gold, would have too much, or was deleted.",
  },
  "AccountingService/SendGold": {
    already_exists: "The idempotency key stands for another transaction.",
    failed_precondition: "The caller has not enough gold, or the other person cannot be given any.",
    resource_exhausted: "The caller has sent as much as may be sent within a day.",
  },
  "AuthService/ClaimOwner": {
    unauthenticated: "The link was used or has been replaced.",
    already_exists: "Another person has this email address.",
  },
  "AuthService/JoinByLink": {
    failed_precondition:
      "Sign-in needs a code here, the invitation does not work any more, or the event takes no registration.",
    resource_exhausted: "Too many people signed up from this network.",
  },
  "AuthService/ListSessions": { permission_denied: "They are another person's sessions." },
  "AuthService/SendLoginCode": { resource_exhausted: "Too many codes were asked for from this network." },
  "AuthService/SignOutEverywhere": { permission_denied: "They are another person's sessions." },
  "AuthService/UseSignInLink": { unauthenticated: "The link was used or has run out." },
  "AuthService/VerifyLoginCode": {
    unauthenticated: "The code is wrong or has run out.",
    already_exists: "Another person has this email address.",
    failed_precondition:
      "The invitation does not work any more, the address is taken, or the event takes no registration.",
    resource_exhausted: "Too many wrong codes came.",
  },
  "ChatService/AddMember": {
    permission_denied: "An Admin has taken the person out of the thread.",
    failed_precondition: "The thread has as many members as there can be.",
  },
  "ChatService/AddReaction": {
    failed_precondition: "The message was deleted, or has as many different emoji as it can have.",
  },
  "ChatService/CreateThread": { failed_precondition: "There are more members than a thread can have." },
  "ChatService/DeleteMessage": { permission_denied: "Only who wrote the message, or an Admin, deletes it." },
  "ChatService/EditMessage": {
    permission_denied: "Only who wrote the message changes it.",
    failed_precondition: "The message was deleted.",
  },
  "ChatService/JoinEventThread": {
    failed_precondition: "The thread has as many members as there can be.",
    permission_denied: "An Admin has taken the person out of the thread.",
  },
  "ChatService/RemoveMember": { permission_denied: "Only who began the thread, or an Admin, removes members." },
  "ChatService/SendMessage": { already_exists: "Another message of the caller has this client id." },
  "ChatService/UpdateThread": { permission_denied: "Only an Admin names the thread of an event." },
  "DirectorService/PushTalk": { failed_precondition: "The talk belongs to another event." },
  "EventService/CancelRegistration": {
    permission_denied: "It is another person's registration.",
    failed_precondition: "The person is checked in, or the event was deleted.",
  },
  "EventService/CountCheckIns": { failed_precondition: "The event was deleted." },
  "EventService/CountRegistrations": { failed_precondition: "The event was deleted." },
  "EventService/DuplicateEvent": { failed_precondition: "The event was deleted." },
  "EventService/GetEventInvitation": { failed_precondition: "The event was deleted." },
  "EventService/GetMyCode": { failed_precondition: "The event was deleted, or the caller is not on its list." },
  "EventService/ListAttendeeCodes": { failed_precondition: "The event was deleted." },
  "EventService/ListCheckIns": { failed_precondition: "The event was deleted." },
  "EventService/ListEvents": { permission_denied: "Only an Admin lists what was deleted." },
  "EventService/ListRegistrations": { failed_precondition: "The event was deleted." },
  "EventService/Register": {
    failed_precondition:
      "The event asks for no registration, its doors have closed, its waiting list is full, or the invitation does not work.",
  },
  "EventService/RegisterPerson": { failed_precondition: "The person or the event was deleted, or the list is full." },
  "EventService/RenewEventInvitation": { failed_precondition: "The event was deleted." },
  "EventService/RestoreEvent": { failed_precondition: "The event is not deleted." },
  "EventService/ScanQr": { failed_precondition: "The code is for another event or of a deleted person." },
  "EventService/SettleScans": { failed_precondition: "The event was deleted." },
  "EventService/UndoCheckIn": { failed_precondition: "The event was deleted." },
  "FirstStepsService/MakeDemoNight": {
    failed_precondition: "There is a demo night, or something real that it would be mixed with.",
  },
  "FirstStepsService/RemoveDemoNight": { failed_precondition: "There is no demo night, or it is still being made." },
  "GuestService/GetPublicEvent": {
    not_found: "The event has no public page for this caller.",
    failed_precondition: "The invitation link was replaced by a new one.",
    resource_exhausted: "The page was opened too often from this network.",
  },
  "LightsService/AddLights": {
    already_exists: "The lights would overlap others, or there is a group with the ID.",
    failed_precondition: "Other lights would get new addresses that were not shown first.",
    out_of_range: "The lights run past channel 512, or there is no room for them.",
  },
  "LightsService/CalculateDMXAddress": {
    failed_precondition: "The light does not fit.",
    out_of_range: "Its channels run past 512.",
  },
  "LightsService/CheckDMXConflict": { out_of_range: "The channels run past 512." },
  "LightsService/CreateGroup": { already_exists: "There is a group with the ID." },
  "LightsService/CreateLight": {
    already_exists: "The light would overlap another one.",
    failed_precondition: "It does not fit, or other lights would get new addresses that were not shown first.",
    out_of_range: "Its channels run past 512.",
  },
  "LightsService/CreateOutput": {
    already_exists: "There is an output with this id.",
    failed_precondition: "Another output has the same target.",
    resource_exhausted: "There are as many outputs as there can be.",
  },
  "LightsService/DeleteFixture": { failed_precondition: "Lights use it, or it is built in." },
  "LightsService/DeleteLight": {
    failed_precondition: "Other lights would get new addresses that were not shown first.",
  },
  "LightsService/DeleteLights": {
    not_found: "There is no light with one of the ids.",
    failed_precondition: "Other lights would get new addresses that were not shown first.",
  },
  "LightsService/EditLights": {
    not_found: "There is no light or group with one of the ids.",
    already_exists: "A light would overlap another one.",
    failed_precondition:
      "A light has no such mode, or neither pans nor tilts; or others would get new addresses that were not shown first.",
    out_of_range: "The channels of a light run past 512.",
  },
  "LightsService/GetAIInsights": { failed_precondition: "The analysis of the song cannot be read." },
  "LightsService/GetLightModes": { not_found: "There is no such light type." },
  "LightsService/GetLibraryLamp": { not_found: "The library has no such lamp." },
  "LightsService/GetNextDMXAddress": { out_of_range: "The universe has no stretch as long." },
  "LightsService/GetPatternContext": { failed_precondition: "The plan of the song cannot be read." },
  "LightsService/GetPatternHistory": { failed_precondition: "The plan of the song cannot be read." },
  "LightsService/ImportPatch": {
    not_found: "The workspace has no fixture with one of the ids.",
    failed_precondition: "A fixture of the file has no place.",
  },
  "LightsService/PlaceLights": { not_found: "There is no light with one of the ids." },
  "LightsService/ReorderLights": {
    failed_precondition: "Other lights would get new addresses that were not shown first.",
    out_of_range: "More lights are named than can be ordered.",
  },
  "LightsService/RestoreLights": {
    not_found: "There has been no light with one of the ids, or its light type is missing.",
    already_exists: "One of the lights is there, or another one has its channels by now.",
    failed_precondition: "A light does not fit any more.",
    out_of_range: "The channels of a light run past 512.",
  },
  "LightsService/SaveFixture": {
    already_exists: "There is a definition of its own of this maker and model.",
    aborted: "Another person changed the definition since it was read.",
    failed_precondition: "The definition is not one of its own, or lights use what would go.",
  },
  "LightsService/TestOutput": { failed_precondition: "The output is off, or there is a blackout." },
  "LightsService/UpdateLight": {
    already_exists: "The light would overlap another one.",
    failed_precondition: "It does not fit, or other lights would get new addresses that were not shown first.",
    out_of_range: "Its channels run past 512.",
  },
  "LightsService/UpdateOutput": { failed_precondition: "Another output has the same target." },
  "LightsService/UseLibraryLamp": {
    not_found: "The library has no such lamp.",
    failed_precondition: "The file of the lamp cannot be used.",
  },
  "MusicService/AddDemoSong": { already_exists: "It is here already." },
  "MusicService/AddSongFromYoutube": {
    already_exists: "The video or link is here already.",
    failed_precondition: "The site's answer cannot be used.",
  },
  "MusicService/AddSongToPlaylist": { resource_exhausted: "The playlist has as many songs as there can be." },
  "MusicService/BroadcastSong": { failed_precondition: `The song has no show yet. ${OTHER_DRIVES}` },
  "MusicService/CreatePlaylist": { resource_exhausted: "There are as many playlists as there can be." },
  "MusicService/CreateSong": { already_exists: "The video or link is here already." },
  "MusicService/DecideSongRequest": { failed_precondition: "The request was decided already." },
  "MusicService/DeletePlaylist": { failed_precondition: "The playlist plays." },
  "MusicService/DeleteSong": { failed_precondition: "The song plays." },
  "MusicService/ListVideoPlaylist": { failed_precondition: "The site's answer cannot be used." },
  "MusicService/PauseMusic": { failed_precondition: NOTHING_PLAYS },
  "MusicService/PlayPlaylist": {
    failed_precondition: `No song of the playlist, or not this one, has a show. ${OTHER_DRIVES}`,
  },
  "MusicService/PlayWalkIn": {
    failed_precondition: `No playlist is the walk-in music, or none of its songs has a show. ${OTHER_DRIVES}`,
  },
  "MusicService/RegenerateColorPalette": { failed_precondition: "The song is not analysed yet." },
  "MusicService/RenameLook": { already_exists: "Another look has the name." },
  "MusicService/RequestSong": {
    already_exists: "The caller has asked for this song.",
    failed_precondition: "No songs can be asked for.",
    resource_exhausted: "The caller has asked for as many songs as one may.",
  },
  "MusicService/RestorePlanRevision": {
    failed_precondition: "The song is being analysed, or the file of the show is missing.",
  },
  "MusicService/RestoreSong": { already_exists: "The same video or file was added again meanwhile." },
  "MusicService/ResumeMusic": { failed_precondition: NOTHING_PLAYS },
  "MusicService/SaveLook": {
    already_exists: "Another look has the name.",
    resource_exhausted: "There are as many looks as there can be.",
  },
  "MusicService/SaveSongCorrections": {
    aborted: "Another person corrected the song since it was read.",
    failed_precondition: "The song is not analysed yet.",
  },
  "MusicService/SearchYoutube": { failed_precondition: "The site's answer cannot be used." },
  "MusicService/SeekMusic": { failed_precondition: NOTHING_PLAYS },
  "MusicService/SelectLEDPalette": { failed_precondition: "The song is not analysed yet." },
  "MusicService/SkipSong": {
    failed_precondition: `Nothing plays, or something else was played since the skip to undo. ${OTHER_DRIVES}`,
  },
  "MusicService/StartFilm": {
    failed_precondition:
      "Another film is being made, the song has no show or no sound, or this server lacks what the film is made with.",
  },
  "MusicService/StopMusic": { failed_precondition: "The other machine of a standby pair drives the lamps." },
  "MusicService/StopWalkIn": { failed_precondition: "The other machine of a standby pair drives the lamps." },
  "MusicService/UpdateShowWishes": {
    aborted: "Another person changed the show since it was read.",
    failed_precondition: "The song has no show or no analysis yet.",
  },
  "MusicService/UpdateSong": { already_exists: "The video or link is here already." },
  "MusicService/WithdrawSongRequest": { failed_precondition: "The request was decided already." },
  "NightService/RehearseNight": { failed_precondition: "A rehearsal runs already." },
  "QueuesService/AddWorker": {
    already_exists: "Another worker has the name.",
    resource_exhausted: "There are 200 workers already.",
  },
  "QueuesService/GetMessage": { not_found: "There is no such stream, or the message is not there any more." },
  "QueuesService/ListMessages": { not_found: "There is no such stream." },
  "QueuesService/PauseQueue": {
    not_found: "There is no such stream.",
    failed_precondition: "The stream cannot be paused.",
  },
  "QueuesService/PurgeQueue": {
    not_found: "There is no such stream.",
    failed_precondition: "The stream cannot be purged.",
  },
  "QueuesService/RenameWorker": { already_exists: "Another worker has the name." },
  "QueuesService/ReplayMessage": {
    not_found: "There is no such stream.",
    already_exists: "Another song came from the link.",
    failed_precondition: "The message is no JSON, or too long to be edited; the failure's song cannot be retried so.",
  },
  "QueuesService/ResumeQueue": { not_found: "There is no such stream." },
  "RecordingService/DeleteRecording": { failed_precondition: "The recording is not there any more." },
  "RecordingService/StartRecording": { failed_precondition: "The stage records or plays something." },
  "RecordingService/StartReplay": { failed_precondition: "The stage records or plays something." },
  "RecordingService/StopRecording": { failed_precondition: "Nothing is recorded." },
  "RecordingService/StopReplay": { failed_precondition: "Nothing is played." },
  "TalkService/GiveFeedback": { already_exists: "The caller gave feedback on this talk before." },
  "TalkService/Vote": {
    failed_precondition:
      "The caller is the speaker, is not on the list of an event with registration, or another account with their mailbox has voted.",
  },
  "UserService/CreateUser": { already_exists: "Another person has this email address." },
  "UserService/DeleteMyAccount": { failed_precondition: "The caller is the last Admin." },
  "UserService/DeleteUser": { failed_precondition: "They are the last Admin." },
  "UserService/ExportMyData": { resource_exhausted: "The caller's data is being put together already." },
  "UserService/GetUser": { permission_denied: "Only an Admin reads another person." },
  "UserService/PurgeUser": { failed_precondition: "The person is not deleted yet." },
  "UserService/RenewInvitation": { failed_precondition: "Sign-up is not by invitation." },
  "UserService/RestoreUser": { failed_precondition: "The person is not deleted." },
  "UserService/UpdateUser": {
    permission_denied: "Only an Admin changes another person, addresses or roles.",
    already_exists: "Another person has this email address.",
    failed_precondition: "They are the last Admin, and would not be one any more.",
    resource_exhausted: "The caller has changed themselves too often within an hour.",
  },
  "UserService/UploadPhoto": { permission_denied: "Only an Admin changes another person." },
  "VenueService/AddVenue": {
    already_exists: "Another venue has the name.",
    resource_exhausted: "There are 200 venues already.",
  },
  "VenueService/HandBackLamps": { failed_precondition: "The first machine does not answer." },
};

/** Methods that are sent an id and never answer not_found: one that nothing has is a new one, or finds nothing. */
const NEVER_NOT_FOUND: ReadonlySet<string> = new Set([
  "AuditService/ListAuditEntries",
  "AuthService/ListSessions",
  "AuthService/SignOutEverywhere",
  "ChatService/CountUnread",
  "ChatService/ListAllThreads",
  "LightsService/CalculateDMXAddress",
  "LightsService/CheckDMXConflict",
  "LightsService/CreateGroup",
  "MusicService/SeekMusic",
  "MusicService/SkipSong",
  "RecordingService/DeleteRecording",
  "RecordingService/StartReplay",
  "TalkService/CountTalks",
  "TalkService/ListTalks",
]);

/** How a method may refuse, in the order in which the server checks: who calls, what is sent, what is there. */
export function errorsOf(method: DescMethod): readonly MethodError[] {
  const own = REFUSALS[nameOf(method)] ?? {};
  const allowed = getOption(method, access);
  const isPublic = allowed.includes(Access.PUBLIC);
  const codes: readonly (ErrorCode | false)[] = [
    !isPublic && "unauthenticated",
    !isPublic && !allowed.includes(Access.MEMBER) && "permission_denied",
    "invalid_argument",
    method.input.fields.some(isId) && !NEVER_NOT_FOUND.has(nameOf(method)) && "not_found",
    method.input.fields.some(({ name }) => name.startsWith("if_")) && "aborted",
    ...(Object.keys(own) as ErrorCode[]),
    ...OF_ANY_CALL,
  ];
  return [...new Set(codes)].flatMap((code) => (code ? { code, ...WORDS[code], ...whenOf(own[code]) } : []));
}

const nameOf = ({ parent, name }: DescMethod): string => `${parent.name}/${name}`;
const whenOf = (when: string | undefined) => (when ? { when } : {});

/** Ids that a client makes up, such as `client_id`, are not asked for. */
const isId = ({ name, fieldKind, scalar }: DescField): boolean =>
  fieldKind === "scalar" &&
  (scalar === ScalarType.STRING || scalar === ScalarType.INT32) &&
  /^(?!client_|replay_)(?:.+_)?id$/.test(name);
