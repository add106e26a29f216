import type { Cue } from "@followspot/contract";
import { intentLabel } from "../timeline/timeline-layout.ts";
import { cueWords } from "./cue-words.ts";
import { cueWordsStrings as text } from "./cue-words.strings.ts";

interface CueParamsProps {
  readonly cue: Pick<Cue, "intent" | "params">;
  readonly beatsPerBar: number;
}

/** Effect of a cue in words, with its raw parameters in a collapsible part. */
export function CueParams({ cue, beatsPerBar }: CueParamsProps) {
  const words = cueWords(cue, beatsPerBar);
  const entries = Object.entries(cue.params);
  if (entries.length === 0) return null;
  return (
    <div className="text-[12px]/[17px]">
      {words.length > 0 && <p className="first-letter:uppercase">{words.join(" · ")}</p>}
      <details className="text-muted">
        <summary className="w-fit">{text.numbers}</summary>
        <p className="flex flex-wrap gap-x-2.5">
          {entries.map(([name, value]) => (
            <span key={name}>
              {intentLabel(name)}{" "}
              <b className="font-medium text-fg">
                {typeof value === "number" ? Number(value.toFixed(2)) : String(value)}
              </b>
            </span>
          ))}
        </p>
      </details>
    </div>
  );
}
