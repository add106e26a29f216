import type { Talk } from "@followspot/contract/talk";
import { talkStrings } from "./talk.strings.ts";

/** What a talk is called where it is spoken of. */
export const talkName = ({ title }: Pick<Talk, "title">): string => title || talkStrings.noTitle;
