import { limited } from "../lib/text-limits.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.form;

/** Characters that fit into the fields of a talk. */
export const TALK_LIMITS = { title: 300, body: 20_000 } as const;

/** Each rule answers true or the text under its field. */
export const talkRules = {
  title: limited(TALK_LIMITS.title, (title) => title.trim() !== "" || text.titleRequired),
  body: limited(TALK_LIMITS.body),
  start: (start: string) => start === "" || !Number.isNaN(Date.parse(start)) || text.startWrong,
} as const;
