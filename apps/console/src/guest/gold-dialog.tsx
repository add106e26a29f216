import type { FindPeopleResponseJson, ThreadMemberJson } from "@followspot/contract/chat";
import { useEffect, useRef, useState } from "react";
import { newKey } from "../lib/new-key.ts";
import { call, type Refusal } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import type { Night } from "./night.ts";
import { Button, Field, Problem, useAct } from "./parts.tsx";
import { useSearch } from "./use-search.ts";

const text = guestStrings.gold;
const MOST = 1000;
const MOST_FOUND = 5;

/** Dialog that sends gold from the guest's account to another user. */
export function GoldDialog({ night, onClose }: { readonly night: Night; readonly onClose: () => void }) {
  const place = useRef<HTMLDialogElement>(null);
  // Idempotency key: retries of one gift are applied once. The key stays until a response arrives.
  const key = useRef(newKey());
  const [name, setName] = useState("");
  const [to, setTo] = useState<ThreadMemberJson>();
  const [amount, setAmount] = useState("10");
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const [said, setSaid] = useState("");
  const { act, isBusy, problem } = useAct();
  const found = useSearch(to ? "" : name.trim(), findPeople);
  const pieces = Number(amount);
  const isWhole = Number.isInteger(pieces) && pieces >= 1 && pieces <= MOST;
  useEffect(() => place.current?.showModal(), []);
  const give = async () => {
    setTried(true);
    if (!to || !isWhole) return;
    const gift = { toUserId: to.userId, amount: String(pieces), reason: reason.trim(), idempotencyKey: key.current };
    const send = async () => {
      try {
        await call("accounting.v1.AccountingService/SendGold", gift);
        setSaid(text.sent(pieces, to.name ?? ""));
      } catch (error) {
        // The response to an earlier attempt was lost, and the gift was changed since.
        if ((error as Refusal).code !== "already_exists") throw error;
        setSaid(text.sentBefore);
      }
    };
    if (await act(send)) await night.refresh();
  };
  return (
    <dialog
      ref={place}
      aria-label={text.send}
      className="guest-card m-auto w-[min(100%-2rem,26rem)] text-fg backdrop:bg-black/60"
      onClose={onClose}
    >
      {said ? (
        <div className="flex flex-col gap-4">
          <p role="status">{said}</p>
          <Button look="primary" onClick={onClose}>
            {guestStrings.close}
          </Button>
        </div>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(submission) => {
            submission.preventDefault();
            void give();
          }}
        >
          <h2 className="text-lg font-semibold">{text.send}</h2>
          <div className="flex flex-col gap-1">
            <Field
              label={text.to}
              hint={to ? "" : text.toHint}
              problem={isTried && !to ? text.toRequired : undefined}
              value={to?.name ?? name}
              onChange={({ target }) => {
                setTo(undefined);
                setName(target.value);
              }}
            />
            {found?.length === 0 && <p className="text-sm text-muted">{text.noneFound}</p>}
            <ul className="flex flex-col divide-y">
              {found?.map((person) => (
                <li key={person.userId}>
                  <button type="button" className="min-h-11 w-full text-left" onClick={() => setTo(person)}>
                    {person.name}
                  </button>
                </li>
              ))}
            </ul>
          </div>
          <Field
            label={text.amount}
            inputMode="numeric"
            value={amount}
            problem={isTried && !isWhole ? text.amountWrong : undefined}
            onChange={({ target }) => setAmount(target.value)}
          />
          <Field
            label={text.reason}
            maxLength={200}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <Problem says={problem} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{guestStrings.cancel}</Button>
            <Button type="submit" look="primary" disabled={isBusy}>
              {to && isWhole ? text.go(pieces, to.name ?? "") : text.send}
            </Button>
          </div>
        </form>
      )}
    </dialog>
  );
}

/** Finds users whose name contains the letters. */
async function findPeople(letters: string): Promise<readonly ThreadMemberJson[]> {
  const asked = { query: letters, limit: MOST_FOUND };
  return (await call<FindPeopleResponseJson>("chat.v1.ChatService/FindPeople", asked)).people ?? [];
}
