import type { Event } from "@followspot/contract/event";
import { TalkService, type Talk } from "@followspot/contract/talk";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useEffect, useMemo, useState } from "react";
import { useWatch } from "react-hook-form";
import { useCan } from "../auth/can.ts";
import { clockNote, momentIn, ownTimes } from "../event/own-times.ts";
import { momentOf, toFieldTime, typedInWords } from "../lib/field-time.ts";
import { toDate } from "../lib/formatting.ts";
import { useWholeList } from "../lib/use-whole-list.ts";
import { EditDialog, fieldsIn, useEdit, type FieldRows } from "../ui/edit-dialog.tsx";
import { CheckboxField, SelectField, TextAreaField, TextField } from "../ui/fields.tsx";
import { ImageField } from "../ui/image-field.tsx";
import { Options } from "../ui/options.tsx";
import { SpeakerField, type Speaker } from "./speaker-field.tsx";
import { TALK_LIMITS, talkRules } from "./talk-rules.ts";
import { nextStart, warningsOf } from "./talk-times.ts";
import { TalkWarnings } from "./talk-warnings.tsx";
import { talksOf, useEvents, useSaveTalk, useTalkCalls } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.form;

interface Fields {
  readonly title: string;
  readonly eventId: string;
  readonly speaker: Speaker | null;
  /** As a date field has it, by the clock of the event; empty for a talk that is not scheduled. */
  readonly start: string;
  readonly body: string;
  /** Address of the picture there is; empty without one. */
  readonly image: string;
}

const ROWS: FieldRows<Fields, "title" | "start" | "body"> = {
  title: { label: text.title, most: TALK_LIMITS.title, rule: talkRules.title },
  start: { label: text.start, rule: talkRules.start, type: "datetime-local" },
  body: { label: text.body, most: TALK_LIMITS.body, rule: talkRules.body },
};

/** Creates talks of `event`, or edits `talk`. */
export function TalkDialog({
  talk,
  event,
  onClose,
}: {
  readonly talk: Talk | undefined;
  readonly event: Event;
  readonly onClose: () => void;
}) {
  const events = useEvents(event);
  // The zone with which the form was filled: if the event gets another one meanwhile, an unchanged start stays.
  const [zoneAtFirst] = useState(event.timeZone);
  const zoneOf = (id: string) =>
    id === event.id ? zoneAtFirst : (events.find((each) => each.id === id)?.timeZone ?? "");
  const edit = useEdit<Talk, Fields>(talk, (shown) => fieldsOf(shown, event.id, zoneOf));
  const { base, form } = edit;
  const save = useSaveTalk(base);
  const can = useCan();
  const calls = useTalkCalls(event.id);
  const field = fieldsIn(form, ROWS);
  const [eventId, start, speaker, image] = useWatch({
    control: form.control,
    name: ["eventId", "start", "speaker", "image"],
  });
  const [file, setFile] = useState<File>();
  const [goesOn, setGoesOn] = useState(false);
  const chosenEvent = events.find(({ id }) => id === eventId);
  const timeZone = zoneOf(eventId);
  /** Talks that were made while the dialog was open; the list hears of them later. */
  const [made, setMade] = useState<readonly Talk[]>([]);
  const { rows } = useWholeList(useMemo(() => talksOf(eventId), [eventId]));
  const talks = [...rows, ...made.filter((each) => each.eventId === eventId)];
  const lastMade = made.at(-1);

  const proposed = talk ? undefined : toFieldTime(nextStart(talks, chosenEvent), timeZone);
  const isStartTyped = form.getFieldState("start", form.formState).isDirty;
  const { resetField, setFocus } = form;
  useEffect(() => {
    if (proposed !== undefined && !isStartTyped) resetField("start", { defaultValue: proposed });
  }, [proposed, isStartTyped, resetField]);
  // Not before the fields of the emptied form are there.
  useEffect(() => {
    if (lastMade) setFocus("title");
  }, [lastMade, setFocus]);

  const startMoment = Number.isNaN(Date.parse(start)) ? undefined : momentOf(start, toDate(base?.startAt), timeZone);
  const clocks = [
    clockNote(timeZone, [startMoment ?? toDate(chosenEvent?.startsAt)]),
    ownTimes([startMoment], timeZone) ?? text.startHint,
  ];
  const warnings = warningsOf(
    {
      id: talk?.id ?? "",
      ...(speaker && { userId: speaker.id }),
      ...(startMoment && { startAt: timestampFromDate(startMoment) }),
    },
    talks,
    chosenEvent,
  );
  const goOn = (created: Talk) => {
    setMade([...made, created]);
    setFile(undefined);
    form.reset(fieldsOf(undefined, eventId, zoneOf));
  };
  const inWords = (value: Fields[keyof Fields], name: keyof Fields) => {
    if (value === null || value === "") return "";
    if (typeof value === "object") return value.name;
    if (name === "eventId") return events.find(({ id }) => id === value)?.title ?? value;
    if (name === "image") return text.imageOther;
    return name === "start" ? typedInWords(value) : value;
  };
  return (
    <EditDialog
      wide
      edit={edit}
      save={save}
      hasFile={file !== undefined}
      title={talk ? text.editTitle : text.createTitle}
      submitLabel={talk ? text.submitUpdate : text.submitCreate}
      read={(call, { id }) => talksOf(event.id).one(call, id)}
      labelOf={(name) => (name === "speaker" ? talkStrings.speaker.label : text[name].replace(" *", ""))}
      inWords={inWords}
      deletion={{ restore: can(TalkService.method.restoreTalk) ? calls.restore : undefined }}
      onSubmit={(fields) =>
        save.mutate(
          {
            title: fields.title,
            body: fields.body,
            eventId: fields.eventId,
            userId: fields.speaker?.id ?? "",
            start:
              fields.start === "" ? undefined : momentOf(fields.start, toDate(base?.startAt), zoneOf(fields.eventId)),
            image: file,
            clearImage: !file && fields.image === "",
          },
          { onSuccess: (saved) => (goesOn && saved ? goOn(saved) : onClose()) },
        )
      }
      onClose={onClose}
    >
      <TextField autoFocus {...field("title")} />
      <SpeakerField
        key={lastMade?.id}
        speaker={speaker}
        onChange={(next) => {
          form.setValue("speaker", next, { shouldDirty: true });
          // The pressed button is removed: the focus goes to what is chosen next, when they speak.
          setFocus("start");
        }}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label={text.eventId} {...form.register("eventId")}>
          <Options of={events.map((each) => [each.id, eventName(each)] as const)} />
        </SelectField>
        <div className="flex flex-col gap-1">
          <TextField {...field("start")} hint={clocks.filter(Boolean).join(" ")} />
          <TalkWarnings warnings={warnings} />
        </div>
      </div>
      <TextAreaField {...field("body")} />
      <ImageField
        key={`image ${lastMade?.id}`}
        label={text.image}
        url={image}
        file={file}
        onChange={setFile}
        onRemove={() => {
          setFile(undefined);
          form.setValue("image", "", { shouldDirty: true });
        }}
      />
      {!talk && (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <CheckboxField label={text.another} checked={goesOn} onChange={({ target }) => setGoesOn(target.checked)} />
          <p role="status" className="text-xs wrap-anywhere text-muted">
            {lastMade && text.made(lastMade.title)}
          </p>
        </div>
      )}
    </EditDialog>
  );
}

function fieldsOf(talk: Talk | undefined, ofEvent: string, zoneOf: (eventId: string) => string): Fields {
  const eventId = talk?.eventId ?? ofEvent;
  return {
    title: talk?.title ?? "",
    eventId,
    speaker: talk?.userId ? { id: talk.userId, name: talk.userName ?? "" } : null,
    start: toFieldTime(toDate(talk?.startAt), zoneOf(eventId)),
    body: talk?.body ?? "",
    image: talk?.imageUrl ?? "",
  };
}

const eventName = ({ title, startsAt, timeZone }: Event): string => {
  const start = toDate(startsAt);
  return start ? `${title} · ${momentIn(start, timeZone).local}` : title;
};
