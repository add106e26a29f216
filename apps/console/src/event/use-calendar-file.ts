import { useTransport } from "@connectrpc/connect-query";
import type { Event } from "@followspot/contract/event";
import { TalkService, type Talk } from "@followspot/contract/talk";
import { useMutation } from "@tanstack/react-query";
import { plainErrorText } from "../lib/errors.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { caller } from "../lib/list-source.ts";
import { saveFile } from "../lib/save-file.ts";
import { showToast } from "../ui/toast.tsx";
import { eventStrings } from "./event.strings.ts";
import { icsOf } from "./ics.ts";

/** Saves events with their talks as an iCalendar file. */
export function useCalendarFile() {
  const transport = useTransport();
  return useMutation({
    mutationFn: async (read: () => Promise<readonly Event[]>) => {
      const events = await read();
      const [only, ...others] = events;
      if (!only) return showToast(eventStrings.calendarFile.none);
      // One call for the talks of all events; one call per event would be hundreds.
      const { talks } = await caller(transport)(
        TalkService.method.listTalks,
        others.length === 0 ? { eventId: only.id } : {},
      );
      const byEvent = Map.groupBy(talks, ({ eventId }) => eventId ?? "");
      const text = icsOf(events, ({ id, timeZone }) => (byEvent.get(id) ?? []).map((talk) => icsTalk(talk, timeZone)));
      saveFile(
        new Blob([text], { type: "text/calendar;charset=utf-8" }),
        others.length === 0 ? nameOf(only) : "events.ics",
      );
    },
    onError: (error) => showToast(eventStrings.calendarFile.failed(plainErrorText(error)), { bad: true }),
  });
}

function icsTalk({ title, userName, startAt }: Talk, zone: string) {
  const start = toDate(startAt);
  return { title, speaker: userName ?? "", time: start ? timeOfDay(start, zone) : "" };
}

/** Returns the file name for a title: its letters and digits, everything else replaced by "-". */
const nameOf = ({ title }: Event): string =>
  `${
    title
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "event"
  }.ics`;
