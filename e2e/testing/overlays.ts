import type { Locator, Page } from "playwright-core";
import type { Shown } from "./demo-night.ts";

/** A screen and its overlays. */
export interface OpenedScreen {
  readonly name: string;
  readonly path: (shown: Shown) => string;
  readonly opens: readonly Overlay[];
}

/** A dialog, drawer, menu or panel. */
export interface Overlay {
  readonly name: string;
  /** Query of the address that opens it. */
  readonly search?: (shown: Shown) => string;
  /** Opens it, if the address does not. */
  readonly press?: (page: Page) => Promise<void>;
  /** Element that shows that it is open; a dialog or menu by default. */
  readonly is?: (page: Page) => Locator;
}

type Step = (page: Page) => Promise<void>;

const admin = (path: string) => () => `/admin${path}`;
const at = (search: string): Overlay => ({ name: search, search: () => search });
const open = (what: string): Overlay => at(`?open=${what}`);
const openOf =
  (row: keyof Shown) =>
  (what: string): Overlay => ({ name: what, search: (shown) => `?open=${what}.${shown[row]}` });
const pressed = (name: string, ...steps: readonly Step[]): Overlay => ({
  name,
  press: async (page) => {
    for (const step of steps) await step(page);
  },
});

const key =
  (name: string): Step =>
  (page) =>
    page.keyboard.press(name);
const button =
  (name: string | RegExp): Step =>
  (page) =>
    page
      .getByRole("button", { name, exact: typeof name === "string" })
      .filter({ visible: true })
      .first()
      .click();
const inRow =
  (name: string): Step =>
  (page) =>
    page.getByRole("row").filter({ hasText: "demo" }).first().getByRole("button", { name, exact: true }).click();
const named =
  (name: string): Step =>
  (page) =>
    page.getByRole("dialog").getByRole("textbox").first().fill(name);
const choice =
  (name: string): Step =>
  (page) =>
    page.getByRole("menuitem", { name, exact: true }).click();
const tickTwo: Step = async (page) => {
  const boxes = page.getByRole("checkbox", { name: "Select row" });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
};
const panel = (name: string): Overlay => ({
  ...pressed(name, button(name)),
  is: (page) => page.getByRole("region", { name }),
});
const firstMessage: Step = (page) =>
  page.getByRole("list", { name: "Messages, newest first" }).getByRole("button").first().click();
const firstCall: Step = (page) => page.locator("summary").filter({ hasText: "POST" }).first().click();

const ofPerson = (tab: string): Overlay => ({
  name: `person, ${tab}`,
  search: ({ personId }) => `?person=${personId}&tab=${tab}`,
});
const ofEvent = openOf("eventId");
const ofTalk = openOf("talkId");
const ofSong = openOf("songId");
const ofLight = openOf("lightId");
const ofThread = (name: string, ...steps: readonly Step[]): Overlay => ({
  ...pressed(name, ...steps),
  search: ({ threadId }) => `?thread=${threadId}`,
});
const ofStream = (name: string, ...steps: readonly Step[]): Overlay => ({
  ...pressed(name, ...steps),
  ...at("?stream=EVENTS"),
  name,
});
const ofDrawer = (what: string, name: string): Overlay => ({ ...open(what), ...pressed(name, button(name)) });

/** Every screen with overlays, in the order of the console's tabs. */
export const OPENED_SCREENS: readonly OpenedScreen[] = [
  {
    name: "every screen",
    path: admin("/"),
    opens: [
      pressed("palette", key("Control+k")),
      pressed("key map", key("?")),
      pressed("account", button(/^Account/)),
      pressed("sessions", button(/^Account/), choice("Where you are signed in")),
    ],
  },
  {
    name: "Users",
    path: admin("/users"),
    opens: [
      pressed("row menu", inRow("More")),
      pressed("delete", inRow("Delete")),
      pressed("delete several", tickTwo, button("Delete")),
      open("new"),
      open("import"),
      open("sign-up"),
      openOf("personId")("edit"),
      ...["profile", "events", "talks", "gold", "chats", "sessions", "log"].map(ofPerson),
      { ...ofPerson("gold"), ...pressed("grant", button("Grant")) },
    ],
  },
  {
    name: "Events",
    path: admin("/events"),
    opens: [
      pressed("row menu", inRow("More")),
      open("new"),
      ...["edit", "duplicate", "delete", "history"].map((what) => ofEvent(what)),
    ],
  },
  {
    name: "Talks",
    path: ({ eventId }) => `/admin/events/${eventId}/talks`,
    opens: [
      pressed("row menu", inRow("More")),
      open("new"),
      ...["edit", "feedback", "history", "delete"].map((what) => ofTalk(what)),
    ],
  },
  { name: "Registrations", path: ({ eventId }) => `/admin/events/${eventId}/registrations`, opens: [open("new")] },
  {
    name: "Stage screen",
    path: ({ eventId }) => `/admin/events/${eventId}/stage`,
    opens: [pressed("close it", button("Close the screen"))],
  },
  {
    name: "Music",
    path: admin("/music"),
    opens: [
      pressed("columns", button("Columns")),
      pressed("retry menu", inRow("Retry")),
      pressed("row menu", inRow("More")),
      at("?add=true"),
      ...["colors", "playlist", "steps", "history", "delete"].map((what) => ofSong(what)),
    ],
  },
  {
    name: "Playlists",
    path: admin("/music/playlists"),
    opens: [
      open("new"),
      pressed("add songs", button("Add songs")),
      pressed("between songs", button(/gap|fade/i)),
      pressed("order", button(/^Order:/)),
      pressed("requests", button("No requests")),
      pressed("walk-in music", button("No walk-in music")),
      pressed("rename", button("Rename")),
      pressed("delete", button("Delete")),
      pressed("player", button("Open the player")),
    ],
  },
  {
    name: "the visualizer",
    path: ({ songId }) => `/admin/music/${songId}/visualizer`,
    opens: [panel("Show"), panel("Correct"), pressed("film", button("Export film"))],
  },
  {
    name: "Lights",
    path: admin("/lights"),
    opens: [
      pressed("row menu", inRow("More")),
      pressed("more", button("More")),
      pressed("edit several", tickTwo, button("Edit…")),
      ...["new", "several", "new-group", "fixtures", "outputs", "plan", "monitor", "import"].map(open),
      ...["edit", "aim", "dark", "history", "delete"].map((what) => ofLight(what)),
      ofDrawer("fixtures", "Lamp library"),
      ofDrawer("fixtures", "New Fixture"),
      ofDrawer("outputs", "Add output"),
    ],
  },
  { name: "the desk", path: admin("/desk"), opens: [pressed("recordings", button(/^Recordings/))] },
  {
    name: "Tonight",
    path: admin("/tonight"),
    opens: [pressed("announce", button(/^Announce/)), pressed("end", button(/^End/))],
  },
  {
    name: "Workers",
    path: admin("/workers"),
    opens: [
      ofStream("messages"),
      { ...ofStream("a message", firstMessage), is: (page) => page.getByText("Headers", { exact: true }) },
      {
        ...ofStream("replay", firstMessage, button(/^Edit and replay/)),
        is: (page) => page.getByRole("dialog", { name: /^Edit and replay/ }),
      },
      pressed("purge", button(/^Purge/)),
      pressed("pause", button(/^Pause/)),
      pressed("add a worker", button("Add a Worker")),
      pressed("a worker's command", button("Add a Worker"), named("Attic"), button("Add Worker")),
      // A token is shown once, so Escape does not close it.
      pressed("add a venue", button("Done"), button("Add a Venue")),
      pressed("a box's command", button("Add a Venue"), named("Cellar"), button("Add Venue")),
      pressed("choose tonight", button("Done"), button("Choose what is on at Cellar")),
      pressed("revoke a venue", button("Revoke Cellar")),
    ],
  },
  {
    name: "Docs",
    // A search limits the hundreds of methods.
    path: admin("/docs?q=CreateSong"),
    opens: [
      { ...pressed("a call", firstCall), is: (page) => page.getByRole("button", { name: "Send", exact: true }) },
      { ...at("&tab=websocket"), is: (page) => page.getByLabel("Message (JSON)") },
    ],
  },
  {
    name: "the log",
    path: admin("/log"),
    opens: [pressed("entry", (page) => page.getByRole("row").nth(1).press("Enter"))],
  },
  {
    name: "Chat",
    path: admin("/chat"),
    opens: [
      open("new"),
      ofThread("members", button(/members$/)),
      ofThread("options", button("Options")),
      ofThread("rename", button("Options"), choice("Rename")),
      ofThread("leave", button("Options"), choice("Leave")),
      ofThread("react", button("React")),
      ofThread("message", button("Message options")),
      ofThread("delete a message", button("Message options"), choice("Delete")),
    ],
  },
];
