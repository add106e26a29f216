import type { Talk } from "@followspot/contract/talk";
import { talkStrings } from "./talk.strings.ts";

/** What a talk is called where it is spoken of. */
export const talkName = ({ title }: Pick<Talk, "title">): string => title || talkStrings.noTitle;

const SHORT = 30;

/** The same within a sentence that goes on: a long title would push the rest of it out of sight. */
export function shortTalkName(talk: Pick<Talk, "title">): string {
  const letters = [...talkName(talk)];
  return letters.length > SHORT
    ? `${letters
        .slice(0, SHORT - 1)
        .join("")
        .trimEnd()}…`
    : letters.join("");
}
