/** Roles a topic may ask for. An Admin may listen to everything. */
type ListenerRole = "Director" | "AI";

/**
 * Who may listen to a topic. `members`: who the topic's own id lets in, such as the people of a chat thread; the
 * server asks the feature that knows them.
 */
type Listeners = "everyone" | "admins" | "members" | readonly ListenerRole[];

/** One row of a list as an envelope carries it: the client replaces the row it holds. */
interface RowPatch {
  /** Field of the payload that holds the whole row, in Protobuf JSON. */
  readonly field: string;
  /** Field of the list's answers that holds rows. */
  readonly rows: string;
}

/** What a noun's changes mean to everybody who holds lists of it. */
interface LiveNoun {
  /** Topic of every change of this kind. */
  readonly topic: string;
  /** Whether one of them has a topic of its own, `noun.{id}`. */
  readonly hasOwnTopic: boolean;
  readonly listeners: Listeners;
  /** Lists and counts that are out of date after a change, as `Service/Method`. */
  readonly touches: readonly string[];
  /** Where a whole row is to be found in the payload; a change without it makes lists stale. */
  readonly patch?: RowPatch;
}

/**
 * The one table of live changes: which noun is told on which topic, who may listen, which lists it touches and how
 * they are patched. Server and console both read it; an envelope's type is `noun.verb_past`.
 */
export const LIVE: Readonly<Record<string, LiveNoun>> = {
  user: {
    topic: "users",
    hasOwnTopic: true,
    listeners: "admins",
    touches: ["user.v1.UserService/ListUsers", "user.v1.UserService/CountUsers"],
    patch: { field: "user", rows: "users" },
  },
  sign_up: {
    topic: "users",
    hasOwnTopic: false,
    listeners: "admins",
    touches: ["user.v1.UserService/GetSignUp"],
  },
  event: {
    topic: "events",
    hasOwnTopic: true,
    listeners: "everyone",
    touches: [
      "event.v1.EventService/ListEvents",
      "event.v1.EventService/CountEvents",
      "event.v1.EventService/ListPersonEvents",
      // Times of a talk are those of its event's place.
      "talk.v1.TalkService/ListTalks",
    ],
    patch: { field: "event", rows: "events" },
  },
  check_in: {
    topic: "check_ins",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: [
      "event.v1.EventService/ListCheckIns",
      "event.v1.EventService/CountCheckIns",
      "event.v1.EventService/ListRegistrations",
      "event.v1.EventService/CountRegistrations",
      "event.v1.EventService/ListPersonEvents",
    ],
  },
  // A person hears of their own on `user.{id}`, everybody of the numbers on `event.{id}`.
  registration: {
    topic: "registrations",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: [
      "event.v1.EventService/ListRegistrations",
      "event.v1.EventService/CountRegistrations",
      "event.v1.EventService/ListPersonEvents",
      "event.v1.EventService/GetMyRegistration",
      // How many places are taken.
      "event.v1.EventService/GetEvent",
    ],
  },
  event_invitation: {
    topic: "registrations",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: ["event.v1.EventService/GetEventInvitation"],
  },
  talk: {
    topic: "events",
    hasOwnTopic: false,
    listeners: "everyone",
    touches: ["talk.v1.TalkService/ListTalks", "talk.v1.TalkService/CountTalks"],
    patch: { field: "talk", rows: "talks" },
  },
  feedback: {
    topic: "feedback",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: ["talk.v1.TalkService/ListFeedback", "talk.v1.TalkService/CountFeedback"],
  },
  song: {
    topic: "songs",
    hasOwnTopic: true,
    listeners: "everyone",
    // Playlists hold their songs, and say which of them can be played: those come next. Requests say why theirs cannot.
    touches: [
      "music.v1.MusicService/ListSongs",
      "music.v1.MusicService/CountSongs",
      "music.v1.MusicService/ListPlaylists",
      "music.v1.MusicService/GetShowQueue",
      "music.v1.MusicService/ListSongRequests",
      "music.v1.MusicService/ListSongSteps",
    ],
    patch: { field: "song", rows: "songs" },
  },
  playlist: {
    topic: "playlists",
    hasOwnTopic: true,
    listeners: "everyone",
    // Its songs, their order and votes decide what comes next; one of them takes requests.
    touches: [
      "music.v1.MusicService/ListPlaylists",
      "music.v1.MusicService/GetPlaylist",
      "music.v1.MusicService/GetShowQueue",
      "music.v1.MusicService/ListSongRequests",
    ],
  },
  queue: {
    topic: "queue",
    hasOwnTopic: false,
    listeners: "everyone",
    touches: ["music.v1.MusicService/GetShowQueue", "music.v1.MusicService/ListPlaylists"],
  },
  look: {
    topic: "looks",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: ["music.v1.MusicService/ListLooks"],
  },
  song_request: {
    topic: "requests",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: ["music.v1.MusicService/ListSongRequests"],
  },
  preflight: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: ["night.v1.NightService/CheckPreflight"],
  },
  sound: {
    topic: "queue",
    hasOwnTopic: false,
    listeners: "everyone",
    touches: ["sound.v1.SoundService/GetSound"],
  },
  light: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: [
      "lights.v1.LightsService/ListLights",
      "lights.v1.LightsService/CountLights",
      "lights.v1.LightsService/ListGroups",
    ],
  },
  fixture: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: [
      "lights.v1.LightsService/ListFixtures",
      "lights.v1.LightsService/CountFixtures",
      "lights.v1.LightsService/ListLightTypes",
      "lights.v1.LightsService/GetLightModes",
    ],
  },
  light_group: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: ["lights.v1.LightsService/ListGroups", "lights.v1.LightsService/ListLights"],
  },
  output: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: ["lights.v1.LightsService/ListOutputs"],
  },
  recording: {
    topic: "lights",
    hasOwnTopic: false,
    listeners: ["Director", "AI"],
    touches: ["recording.v1.RecordingService/ListRecordings"],
  },
  gold_transaction: {
    topic: "gold",
    hasOwnTopic: false,
    listeners: "admins",
    touches: [
      "accounting.v1.AccountingService/ListTransactions",
      "accounting.v1.AccountingService/GetBalance",
      "accounting.v1.AccountingService/GetStats",
    ],
  },
  stage_screen: {
    topic: "director",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: ["director.v1.DirectorService/ListStageScreens"],
    patch: { field: "screen", rows: "screens" },
  },
  stage_link: {
    topic: "director",
    hasOwnTopic: false,
    listeners: ["Director"],
    touches: ["director.v1.DirectorService/GetStageLink"],
  },
  // For moderators; members hear of their threads on their own topics, and of what is said on `chat.thread.{id}`.
  thread: {
    topic: "threads",
    hasOwnTopic: false,
    listeners: "admins",
    touches: ["chat.v1.ChatService/ListAllThreads"],
  },
};

/** Topics that tell of no list: what runs right now. */
const STATES: Readonly<Record<string, Listeners>> = {
  stage: ["Director"],
  workers: ["Director"],
};

/** Topics of one thing, `kind.{id}`, where the kind is no noun of {@link LIVE}. */
const ONES: Readonly<Record<string, Listeners>> = { group: "members", "chat.thread": "members" };

/** Id of one thing in a topic: it holds neither a dot nor a wildcard. */
const ID = /^[A-Za-z0-9_-]{1,100}$/;

/** A topic, read: who may listen, and the id when it is about one thing. */
export interface Topic {
  readonly kind: string;
  readonly id: string | undefined;
  readonly listeners: Listeners;
}

/** The topic a text names; undefined when it names none. */
export function parseTopic(text: string): Topic | undefined {
  const ofMany = Object.values(LIVE).find((noun) => noun.topic === text)?.listeners ?? lookUp(STATES, text);
  if (ofMany !== undefined) return { kind: text, id: undefined, listeners: ofMany };
  const dot = text.lastIndexOf(".");
  const [kind, id] = [text.slice(0, dot), text.slice(dot + 1)];
  if (dot < 1 || !ID.test(id)) return undefined;
  const noun = lookUp(LIVE, kind);
  // A person's own topic is theirs: their sign-ins end there.
  if (noun?.hasOwnTopic) return { kind, id, listeners: kind === "user" ? "members" : noun.listeners };
  const listeners = lookUp(ONES, kind);
  return listeners && { kind, id, listeners };
}

/** Where a change of one thing is told. */
export function topicsOf(noun: string, id: string | number): readonly string[] {
  const live = lookUp(LIVE, noun);
  if (!live) throw new RangeError(`${noun} is no noun of the table LIVE`);
  return live.hasOwnTopic ? [live.topic, `${noun}.${id}`] : [live.topic];
}

/** A row of a table by a text from outside: names of Object's own are no rows. */
function lookUp<Row>(table: Readonly<Record<string, Row>>, key: string): Row | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
