import type { GetSignUpModeResponseJson, SendLoginCodeResponseJson } from "@followspot/contract/auth";
import type { MyNightJson, PublicEventJson } from "@followspot/contract/guest";
import { call, type Refusal } from "../guest/call.ts";
import { element, labeledField } from "./elements.ts";
import { nightPath, type EventLink } from "./event-link.ts";
import { eventPageStrings as strings } from "./event-page.strings.ts";

const text = strings.form;

/** Who may come, free places, and the form. */
export function registration(event: PublicEventJson, link: EventLink): HTMLElement {
  const { registration: mode = "none", freePlaces, waiting = 0 } = event;
  const isFull = freePlaces !== undefined && freePlaces <= 0;
  const places = freePlaces !== undefined && (isFull ? strings.full(waiting) : strings.free(freePlaces));
  return element(
    "section",
    { "aria-label": text.title, class: "mx-4 flex flex-col gap-3 event-card" },
    element("p", {}, strings.who[mode]),
    places && element("p", { class: isFull ? "text-warn" : "text-ok" }, places),
    wayIn(event, link, isFull),
  );
}

function wayIn(event: PublicEventJson, link: EventLink, isFull: boolean): HTMLElement {
  const { registration: mode = "none", takesRegistrations = false, isInvited = false } = event;
  const say = (what: string) => element("p", { class: "text-sm text-muted" }, what);
  const signIn = () => element("a", { href: nightPath(link), class: "event-link text-sm" }, text.haveAccount);
  if (mode === "none") return element("a", { href: nightPath(link), class: "event-button" }, strings.signIn);
  if (!takesRegistrations) return say(strings.closed);
  if (mode === "invitation" && !isInvited) return element("div", {}, say(strings.needsInvitation), signIn());
  const known = knownGuest();
  const all = element("div", { class: "flex flex-col gap-3" });
  const showForm = () => all.replaceChildren(form(link, isFull), signIn());
  if (known === undefined) showForm();
  else all.append(asKnown(known, link, showForm));
  return all;
}

/** Registers the guest who is signed in on this device. */
function asKnown(name: string, link: EventLink, showForm: () => void): HTMLElement {
  const problem = element("p", { role: "alert", class: "text-sm text-danger" });
  const go = element(
    "button",
    { type: "button", class: "event-button", "data-look": "primary" },
    text.continueAs(name),
  );
  const other = element("button", { type: "button", class: "event-button" }, text.someoneElse);
  go.addEventListener("click", async () => {
    go.disabled = true;
    try {
      await call("event.v1.EventService/Register", link);
      location.assign(nightPath(link));
    } catch (error) {
      const refusal = error as Refusal; // the only error of call()
      if (refusal.isSignedOut) return showForm();
      problem.textContent = refusal.message;
    }
    go.disabled = false;
  });
  other.addEventListener("click", showForm);
  return element("div", { class: "flex flex-col gap-2" }, problem, go, other);
}

/** Name and address, then the code that was sent there. */
function form(link: EventLink, isFull: boolean): HTMLElement {
  const name = labeledField({ label: text.name, name: "name", attributes: { autocomplete: "name", maxlength: "200" } });
  const target = labeledField({
    label: text.target,
    name: "target",
    hint: text.targetHint,
    attributes: { autocomplete: "username", inputmode: "email", maxlength: "254" },
  });
  const code = labeledField({
    label: text.code,
    name: "code",
    hint: text.codeHint,
    attributes: { autocomplete: "one-time-code", inputmode: "numeric", maxlength: "40" },
  });
  const said = element("p", { role: "status", class: "text-sm text-muted" });
  const problem = element("p", { role: "alert", class: "text-sm text-danger" });
  const go = element("button", { type: "submit", class: "event-button", "data-look": "primary" });
  const other = element("button", { type: "button", class: "event-button" }, text.other);
  const made = element("form", { novalidate: true, class: "flex flex-col gap-3" });
  let isSent = false;
  const show = () => {
    go.textContent = isSent ? text.verify : isFull ? text.join : text.register;
    made.replaceChildren(...(isSent ? [said, code.all, problem, go, other] : [name.all, target.all, problem, go]));
  };
  const who = () => ({ name: name.value(), target: target.value(), ...link });
  const send = async () => {
    name.report(name.value() === "" ? text.nameRequired : "");
    target.report(target.value() === "" ? text.targetRequired : "");
    if (name.value() === "") return name.focus();
    if (target.value() === "") return target.focus();
    // Without this, a community that adds no people would let them wait for a code that never comes.
    const { isOpen, says, byLink } = await call<GetSignUpModeResponseJson>("auth.v1.AuthService/GetSignUpMode", link);
    if (byLink) {
      await call("auth.v1.AuthService/JoinByLink", who());
      return location.assign(nightPath(link));
    }
    const { message = "" } = await call<SendLoginCodeResponseJson>("auth.v1.AuthService/SendLoginCode", who());
    said.textContent = isOpen ? message : `${message} ${says}`;
    isSent = true;
    show();
    code.focus();
  };
  const verify = async () => {
    code.report(code.value() === "" ? text.codeRequired : "");
    if (code.value() === "") return code.focus();
    await call("auth.v1.AuthService/VerifyLoginCode", { ...who(), code: code.value() });
    location.assign(nightPath(link));
  };
  made.addEventListener("submit", async (submission) => {
    submission.preventDefault();
    problem.textContent = "";
    go.disabled = true;
    try {
      await (isSent ? verify() : send());
    } catch (error) {
      problem.textContent = (error as Refusal).message; // the only error of call()
    }
    go.disabled = false;
  });
  other.addEventListener("click", () => {
    isSent = false;
    problem.textContent = "";
    show();
    target.focus();
  });
  show();
  return made;
}

/** Name of the guest who has used this device; undefined for none. Whether they are still signed in shows the call. */
function knownGuest(): string | undefined {
  try {
    const kept = localStorage.getItem("followspot.me.night");
    return kept === null ? undefined : (JSON.parse(kept) as MyNightJson).userName;
  } catch {
    return undefined; // a private window, or data of another version
  }
}
