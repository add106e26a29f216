import type { ForeignSource } from "@followspot/contract/lights";
import type { Health } from "./outputs.queries.ts";
import { outputStrings as text } from "./outputs.strings.ts";

/** Notices about problems that concern no single output, and about other senders on our universes. */
export function WireNotices({ health }: { readonly health: Health }) {
  const sentences = [...health.notices, ...health.foreignSources.map(sentenceOf)];
  if (sentences.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 px-4 pt-3">
      {sentences.map((sentence) => (
        <li key={sentence} className="rounded-md border border-warn bg-warn/10 px-3 py-2 text-xs wrap-anywhere">
          <p role="alert">{sentence}</p>
        </li>
      ))}
    </ul>
  );
}

function sentenceOf({ name, address, protocol, universes, advice }: ForeignSource): string {
  const who = name === "" ? address : `${name} (${address})`;
  const ours = universes.map(text.universe).join(", ");
  return `${text.foreign(who, text.protocols[protocol] ?? protocol, ours)} ${advice}`;
}
