import { shortTalkName } from "./talk-name.ts";
import { talkStrings } from "./talk.strings.ts";
import type { TalkWarning } from "./talk-times.ts";

const text = talkStrings.warnings;

/** What may be wrong with the start of a talk, one under the other. */
export function TalkWarnings({ warnings }: { readonly warnings: readonly TalkWarning[] }) {
  return (
    <div role="status" className="flex flex-col gap-1 text-xs wrap-anywhere text-warn">
      {warnings.map((warning) => (
        <p key={warning.kind}>{warningWords(warning)}</p>
      ))}
    </div>
  );
}

export function warningWords(warning: TalkWarning): string {
  switch (warning.kind) {
    case "early":
    case "late":
      return text[warning.kind];
    case "same":
      return bySpeaker(text.same(shortTalkName(warning)), warning);
    case "close":
      return bySpeaker(text.close(shortTalkName(warning), warning.minutes, warning.isAfter), warning);
    case "busy":
      return text.busy(shortTalkName(warning));
    default:
      return warning satisfies never;
  }
}

const bySpeaker = (words: string, { isBusy }: { readonly isBusy: boolean }): string =>
  isBusy ? text.bySpeaker(words) : words;
