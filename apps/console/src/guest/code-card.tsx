import { groupShortCode } from "@followspot/contract";
import type { GuestEventJson } from "@followspot/contract/guest";
import { Suspense } from "react";
import { Guard } from "./guard.tsx";
import { guestStrings } from "./guest.strings.ts";
import { QrCode } from "./later-parts.ts";
import { clock } from "./times.ts";

const text = guestStrings.event;

/** QR code in a white frame, which scanners need in a dark hall. */
export function Code({ event, name }: { readonly event: GuestEventJson; readonly name: string }) {
  return (
    <div className="aspect-square overflow-hidden rounded-xl bg-white">
      <Guard>
        <Suspense>
          <QrCode text={event.code ?? ""} label={text.codeOf(name)} />
        </Suspense>
      </Guard>
    </div>
  );
}

/** Code to read out at the door if the QR code cannot be scanned. */
export function ShortCode({ event }: { readonly event: GuestEventJson }) {
  if (!event.shortCode) return null;
  return (
    <p className="font-mono text-2xl font-semibold tracking-wider">
      <span className="sr-only">{text.shortCode}: </span>
      {groupShortCode(event.shortCode)}
    </p>
  );
}

/** Check-in state of the guest, and what to do with the code. */
export function DoorState({ event }: { readonly event: GuestEventJson }) {
  if (!event.code) return <p className="text-sm text-muted">{event.codeNote}</p>;
  if (event.checkedInAt === undefined) return <p className="text-sm text-muted">{text.showDoor}</p>;
  return (
    <>
      <p className="flex items-center gap-2">
        <span aria-hidden className="size-2.5 shrink-0 rounded-full bg-ok" /> {text.isIn(clock(event.checkedInAt))}
      </p>
      <p className="text-sm text-muted">{text.showBack}</p>
    </>
  );
}
