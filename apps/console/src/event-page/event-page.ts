import type { GetPublicEventResponseJson, PublicEventJson } from "@followspot/contract/guest";
import { call, type Refusal } from "../guest/call.ts";
import { serverPath } from "../lib/base-path.ts";
import { element } from "./elements.ts";
import { eventLinkOf, nightPath, type EventLink } from "./event-link.ts";
import { eventPageStrings as text } from "./event-page.strings.ts";
import { clockIn, ownZone, rangeIn } from "./event-times.ts";
import { registration } from "./registration.ts";

/** Shows the event of this address: embedded in the document if it is open to everybody, loaded with the key otherwise. */
export async function showEvent(root: HTMLElement): Promise<void> {
  applyTheme();
  const link = eventLinkOf(location);
  const embedded = document.getElementById("event")?.textContent;
  // With a key the server also reports whether it is the current invitation.
  if (embedded && link.invitation === "") return root.replaceChildren(page(JSON.parse(embedded), link));
  root.replaceChildren(notice(text.loading));
  try {
    const { event } = await call<GetPublicEventResponseJson>("guest.v1.GuestService/GetPublicEvent", link);
    document.title = event?.title ?? document.title;
    root.replaceChildren(page(event ?? {}, link));
  } catch (error) {
    const { code, message } = error as Refusal; // the only error of call()
    if (code === "failed_precondition") return root.replaceChildren(notice(text.revoked, text.revokedHint));
    if (code === "not_found" && link.invitation !== "") return location.replace(nightPath(link));
    if (code === "not_found") return root.replaceChildren(notice(text.none, "", signInLink(link)));
    const retry = element("button", { type: "button", class: "event-button" }, text.retry);
    retry.addEventListener("click", () => void showEvent(root));
    root.replaceChildren(notice(code === "" ? text.offline : message, "", retry));
  }
}

const signInLink = (link: EventLink) => element("a", { href: nightPath(link), class: "event-button" }, text.signIn);

const notice = (title: string, hint = "", more?: Node) =>
  element(
    "main",
    { class: "mx-auto flex min-h-dvh max-w-xl flex-col items-center justify-center gap-3 p-6 text-center" },
    element("p", { role: "status", class: "text-lg" }, title),
    hint && element("p", { class: "text-muted" }, hint),
    more,
  );

function page(event: PublicEventJson, link: EventLink): HTMLElement {
  const { title = "", community, coverUrl, state = "", location: place, address } = event;
  const banner = text.states[state] ?? "";
  return element(
    "main",
    { class: "mx-auto flex w-full max-w-xl flex-col gap-6 pb-[max(2rem,env(safe-area-inset-bottom))]" },
    cover(title, coverUrl),
    element(
      "header",
      { class: "flex flex-col gap-2 px-4" },
      element("p", { class: "text-sm text-muted wrap-anywhere", dir: "auto" }, community),
      element("h1", { class: "text-3xl font-semibold wrap-anywhere", dir: "auto" }, title),
      banner &&
        element(
          "p",
          {
            role: "status",
            class: `event-state ${state === "canceled" ? "border-danger text-danger" : "border-warn text-warn"}`,
          },
          banner,
        ),
    ),
    element(
      "dl",
      { class: "flex flex-col gap-4 px-4 text-[15px] leading-5.5" },
      times(event),
      (place || address) &&
        element(
          "div",
          {},
          element("dt", { class: "sr-only" }, "Place"),
          element("dd", { class: "font-medium wrap-anywhere", dir: "auto" }, place || address),
          place && address && element("dd", { class: "text-muted wrap-anywhere", dir: "auto" }, address),
          element("dd", {}, element("a", { href: mapUrl(event), rel: "noreferrer", class: "event-link" }, text.map)),
        ),
    ),
    state !== "canceled" && state !== "past" && registration(event, link),
    state !== "canceled" && program(event),
  );
}

function cover(title: string, coverUrl = ""): HTMLElement {
  if (coverUrl)
    return element("img", {
      src: serverPath(coverUrl),
      alt: "",
      class: "aspect-[2/1] w-full object-cover sm:rounded-b-xl",
    });
  // Two hues from the title: every event looks different without a picture.
  const hue = [...title].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  const drawn = element("div", { "aria-hidden": "true", class: "event-cover" });
  drawn.style.setProperty("--hue", String(hue));
  return drawn;
}

function times({ startsAt, endsAt, timeZone = "" }: PublicEventJson): HTMLElement | undefined {
  if (startsAt === undefined || endsAt === undefined) return undefined;
  const zone = timeZone || ownZone();
  const own = timeZone !== "" && clockIn(startsAt, "") !== clockIn(startsAt, timeZone);
  return element(
    "div",
    {},
    element("dt", { class: "sr-only" }, "Time"),
    element(
      "dd",
      { class: "font-medium" },
      element("time", { datetime: startsAt }, rangeIn(startsAt, endsAt, timeZone)),
    ),
    element(
      "dd",
      { class: "text-muted" },
      [zone.replaceAll("_", " "), own && text.yourTime(clockIn(startsAt, ""))].filter(Boolean).join(" · "),
    ),
  );
}

function mapUrl({ lat, lng, location: place = "", address = "" }: PublicEventJson): string {
  const site = "https://www.openstreetmap.org";
  if (lat !== undefined && lng !== undefined) return `${site}/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`;
  return `${site}/search?query=${encodeURIComponent(address || place)}`;
}

function program({ talks = [], timeZone = "" }: PublicEventJson): HTMLElement {
  return element(
    "section",
    { "aria-label": text.program, class: "flex flex-col gap-2 px-4 text-[15px] leading-5.5" },
    element("h2", { class: "text-lg font-semibold" }, text.program),
    talks.length === 0 && element("p", { class: "text-muted" }, text.noTalks),
    element(
      "ul",
      { class: "flex flex-col divide-y" },
      ...talks.map(({ title = "", startAt }) =>
        element(
          "li",
          { class: "flex gap-3 py-2.5" },
          element(
            "time",
            { datetime: startAt, class: "w-20 shrink-0 text-muted" },
            startAt ? clockIn(startAt, timeZone) : text.noTime,
          ),
          element("span", { class: "min-w-0 flex-1 wrap-anywhere", dir: "auto" }, title),
        ),
      ),
    ),
  );
}

/** The theme chosen on the guest's page, else the device's. */
function applyTheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("followspot.theme");
  } catch {
    // private window
  }
  document.documentElement.dataset["theme"] = chosen === "dark" || chosen === "light" ? chosen : "system";
}
