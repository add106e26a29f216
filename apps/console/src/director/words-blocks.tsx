import { DirectorService } from "@followspot/contract/director";
import { useState } from "react";
import { tooLong } from "../lib/text-limits.ts";
import { cx } from "../ui/class-names.ts";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { Block, FIELD, PressButton } from "./press-button.tsx";
import { TOUCH } from "../ui/touch.ts";

const rpc = DirectorService.method;
/** Maximum text lengths from the contract, characters. */
const MOST = { announcement: 1000, status: 300 } as const;

/** Form for an announcement. The text is cleared only after the announcement is shown. */
export function AnnouncementBlock({ presses }: { readonly presses: Presses }) {
  const [typed, setTyped] = useState("");
  const [seconds, setSeconds] = useState<number>(0);
  const problem = tooLong(typed.length, MOST.announcement);
  const announce = async () => {
    if (await presses.press("announce", rpc.makeAnnouncement, { text: typed.trim(), seconds })) setTyped("");
  };
  return (
    <Block title={text.announce}>
      <textarea
        aria-label={text.announceText}
        placeholder={text.announceText}
        rows={2}
        aria-invalid={problem !== undefined}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={FIELD}
      />
      <Problem text={problem} />
      <div role="radiogroup" aria-label={text.announceFor} className="grid grid-cols-4 gap-2">
        {text.lengths.map((length) => (
          <button
            key={length.seconds}
            type="button"
            role="radio"
            aria-checked={seconds === length.seconds}
            onClick={() => setSeconds(length.seconds)}
            className={cx(TOUCH, "px-1", seconds === length.seconds ? "border-accent text-accent" : "bg-bg text-muted")}
          >
            {length.text}
          </button>
        ))}
      </div>
      <PressButton
        name="announce"
        look="primary"
        presses={presses}
        disabled={typed.trim() === "" || problem !== undefined}
        onPress={announce}
      >
        {text.showAnnouncement}
      </PressButton>
    </Block>
  );
}

/** Form for the status line under every view. */
export function StatusBlock({ status, presses }: { readonly status: string; readonly presses: Presses }) {
  const [typed, setTyped] = useState("");
  const problem = tooLong(typed.length, MOST.status);
  const isSendable = typed.trim() !== "" && problem === undefined;
  const set = async () => {
    if (await presses.press("status", rpc.updateStatus, { status: typed.trim() })) setTyped("");
  };
  return (
    <Block title={text.status}>
      <form
        className="flex gap-2"
        onSubmit={(submission) => {
          submission.preventDefault();
          if (isSendable) void set();
        }}
      >
        <input
          aria-label={text.statusText}
          placeholder={status || text.statusText}
          aria-invalid={problem !== undefined}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className={FIELD}
        />
        <PressButton name="status" presses={presses} disabled={!isSendable} onPress={set}>
          {text.setStatus}
        </PressButton>
        {status && (
          <PressButton
            name="clear status"
            look="warn"
            presses={presses}
            onPress={() => presses.press("clear status", rpc.updateStatus, { status: "" })}
          >
            {text.clearStatus}
          </PressButton>
        )}
      </form>
      <Problem text={problem} />
    </Block>
  );
}

function Problem({ text: said }: { readonly text: string | undefined }) {
  return (
    said && (
      <p role="alert" className="text-danger">
        {said}
      </p>
    )
  );
}
