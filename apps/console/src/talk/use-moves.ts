import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Talk } from "@followspot/contract/talk";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { timeOfDay } from "../lib/formatting.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { talkName } from "./talk-name.ts";
import { startOf } from "./talk-times.ts";
import { useMoveTalk } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.schedule;

/** Where a talk goes: a start in ms since 1970, or beside the schedule. */
export type Goal = number | "unscheduled";

/** Sends moves, and shows their answers until the list has heard of them. @param zone of their event */
export function useMoves(read: readonly Talk[], zone: string) {
  const move = useMoveTalk();
  const [answers, setAnswers] = useState<ReadonlyMap<string, Talk>>(new Map());
  const { mutate, variables, isPending } = useMutation({
    mutationFn: async ({ talk, goal }: { readonly talk: Talk; readonly goal: Goal }) =>
      move(talk, goal === "unscheduled" ? undefined : timestampFromMs(goal)),
    onSuccess: (answer, { talk, goal }) => {
      keep(answer);
      const name = talkName(talk);
      const undo = () => void move(talk, talk.startAt).then(keep, sayWhy);
      showToast(goal === "unscheduled" ? text.cleared(name) : text.moved(name, timeOfDay(new Date(goal), zone)), {
        undo,
      });
    },
    onError: sayWhy,
  });
  const keep = (answer: Talk | undefined) => answer && setAnswers((old) => new Map(old).set(answer.id, answer));
  const talks = read.map((talk) => {
    const answer = answers.get(talk.id);
    return answer?.updatedAt && talk.updatedAt && timestampMs(answer.updatedAt) > timestampMs(talk.updatedAt)
      ? answer
      : talk;
  });
  return { talks, moving: isPending ? variables : undefined, moveTo: mutate };
}

/** A talk that was moved by keys keeps the focus, wherever it stands afterwards. */
export function useFocusAfterMove(talks: readonly Talk[]) {
  const place = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ readonly id: string; readonly start: number | undefined }>(undefined);
  useEffect(() => {
    const talk = wanted.current && talks.find(({ id }) => id === wanted.current?.id);
    if (!talk || startOf(talk) !== wanted.current?.start) return;
    wanted.current = undefined;
    // The person may have moved the focus meanwhile.
    if (document.activeElement !== document.body) return;
    const blocks = [...(place.current?.querySelectorAll<HTMLElement>("[data-talk]") ?? [])];
    blocks.find(({ dataset }) => dataset["talk"] === talk.id)?.focus();
  });
  const focusWhenThere = ({ id }: Talk, goal: Goal) =>
    void (wanted.current = { id, start: goal === "unscheduled" ? undefined : goal });
  return [place, focusWhenThere] as const;
}
