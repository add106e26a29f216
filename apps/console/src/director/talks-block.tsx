import { DirectorService, type StageScreen } from "@followspot/contract/director";
import { useMemo } from "react";
import { clockNote } from "../event/own-times.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { talksOf } from "../talk/talk.queries.ts";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, PressButton } from "./press-button.tsx";

/** Talks of the event in their order, each with a button that shows it. */
export function TalksBlock({
  eventId,
  screen,
  presses,
}: {
  readonly eventId: string;
  readonly screen: StageScreen;
  readonly presses: Presses;
}) {
  const { rows, isWhole } = useWholeList(useMemo(() => talksOf(eventId), [eventId]));
  const note = clockNote(
    rows[0]?.timeZone ?? "",
    rows.map(({ startAt }) => toDate(startAt)),
  );
  return (
    <Block title={text.talks}>
      {note && <p className="text-sm text-muted">{note}</p>}
      {isWhole && rows.length === 0 && <p className="text-muted">{text.noTalks}</p>}
      <ul className="flex flex-col gap-2">
        {rows.map(({ id, title, userName, startAt, timeZone }) => {
          const start = toDate(startAt);
          const isOn = screen.talkId === id;
          return (
            <li key={id} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 text-base wrap-anywhere" dir="auto">
                  {title || text.untitled}
                </span>
                <span className="block truncate text-sm text-muted">
                  {[isOn && text.onStage, start && timeOfDay(start, timeZone), userName].filter(Boolean).join(" · ")}
                </span>
              </span>
              <PressButton
                name={`push ${id}`}
                look={isOn ? "plain" : "primary"}
                label={text.pushTalk(title || text.untitled)}
                presses={presses}
                onPress={() => presses.press(`push ${id}`, DirectorService.method.pushTalk, { talkId: id })}
              >
                {text.push}
              </PressButton>
            </li>
          );
        })}
      </ul>
    </Block>
  );
}
