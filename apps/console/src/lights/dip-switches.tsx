import { patchStrings as text } from "./patch.strings.ts";

const SWITCHES = Array.from({ length: 9 }, (_, i) => i);
const STEP = 16;

/** Returns the states of the nine address switches, least significant bit first. */
export const dipOf = (address: number): readonly boolean[] => SWITCHES.map((bit) => (address & (1 << bit)) !== 0);

/** Draws the DIP switch setting of an address. The tenth switch is the fixture's own function and stays off. */
export function DipSwitches({ address }: { readonly address: number }) {
  const isOn = [...dipOf(address), false];
  const on = isOn.flatMap((each, i) => (each ? [i + 1] : []));
  return (
    <svg
      role="img"
      aria-label={text.dip(address, on)}
      viewBox={`0 0 ${10 * STEP + 4} 40`}
      width={(10 * STEP + 4) * 1.1}
      height={44}
      className="max-w-full shrink-0 text-fg"
    >
      <rect x={0.5} y={0.5} width={10 * STEP + 3} height={28} rx={3} fill="none" stroke="currentColor" opacity={0.6} />
      {isOn.map((each, i) => (
        <g key={i} transform={`translate(${2 + i * STEP} 0)`}>
          <rect x={4} y={4} width={8} height={21} rx={1.5} fill="none" stroke="currentColor" opacity={0.5} />
          <rect
            x={4}
            y={each ? 4 : 14.5}
            width={8}
            height={10.5}
            rx={1.5}
            fill="currentColor"
            opacity={each ? 1 : 0.45}
          />
          <text x={8} y={38} textAnchor="middle" fontSize={8.5} fill="currentColor" opacity={i === 9 ? 0.6 : 1}>
            {i === 9 ? text.dipFunction : i + 1}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** DIP switches, binary address, and a hint for fixtures that count addresses from 0. */
export function DipNote({ address }: { readonly address: number }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <DipSwitches address={address} />
      <p className="min-w-48 flex-1 text-xs text-muted">
        <span className="block font-mono text-fg">{text.binary(address)}</span>
        {text.fromZero(address)}
      </p>
    </div>
  );
}
