import type { AddressForecast, AddressMove } from "./address-moves.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.form;
/** Maximum number of moves listed by name; the rest is shown as a count. */
const LISTED = 6;

export const ADDRESS_NOTE = "rounded-md border border-warn px-3 py-2 text-warn";

/** Warnings about conflicts, missing room and readdressed lights that saving would cause. */
export function AddressNotes({ forecast: { moves, conflict, unplaced } }: { readonly forecast: AddressForecast }) {
  return (
    <>
      {conflict && (
        <p role="status" className={ADDRESS_NOTE}>
          {text.conflict(conflict.label || lightStrings.noLabel, conflict.from, conflict.to)}
        </p>
      )}
      {unplaced && (
        <p role="status" className={ADDRESS_NOTE}>
          {text.noRoom(unplaced.label || lightStrings.noLabel, unplaced.reason)}
        </p>
      )}
      {moves.length > 0 && (
        <p role="status" className={ADDRESS_NOTE}>
          {text.moves(moves.length)} {movesInWords(moves)}
        </p>
      )}
    </>
  );
}

/** Formats moves as text, for example "Par 3: 9-12 (4ch) → 14-17 (4ch), Par 4: …". */
export function movesInWords(moves: readonly AddressMove[]): string {
  const listed = moves.slice(0, LISTED).map(({ label, from, to }) => lightStrings.move(label, from, to));
  const more = moves.length - listed.length;
  return (more > 0 ? [...listed, lightStrings.moreMoves(more)] : listed).join(", ");
}
