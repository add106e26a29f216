import { callOf, CALLERS, KINDS, post, type Kind } from "../api/calls.ts";
import { cpuSecondsOf } from "../api/cpu.ts";
import { spentSince, type Office, type Part, type Started } from "./office.ts";

/** As often as the bench of the API asks each, a hundredth of it. */
const MIX = mixOf(Object.entries(KINDS).map(([kind, { answers }]) => [kind as Kind, answers / 100]));

/** Calls of each kind so far: votes are given and taken back in their order. */
const made = new Map<Kind, number>();

/** What calls cost behind a proxy. Processor milliseconds are those of one call. */
export interface CallCost {
  readonly perSecond: number;
  readonly callers: number;
  readonly parts: Readonly<Record<Part, number>>;
}

/**
 * @param apis behind the proxy; of others nothing is counted
 * @param seconds for which callers ask, each again as soon as it has its answer
 */
export async function measureCalls(
  office: Office,
  proxy: Started,
  apis: readonly Started[],
  seconds: number,
): Promise<CallCost> {
  const port = Number(new URL(proxy.url).port);
  let asked = 0;
  const askFor = async (ms: number) => {
    const end = performance.now() + ms;
    const caller = async () => {
      while (performance.now() < end) {
        const kind = MIX[asked++ % MIX.length]!;
        const n = made.get(kind) ?? 0;
        made.set(kind, n + 1);
        const { path, body } = callOf(kind, n);
        await post(port, path, body, office.token);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  };
  await askFor(3000); // warm
  const ofApis = () => apis.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  const [before, apisBefore, own] = [office.seconds(), ofApis(), process.cpuUsage()];
  const [from, began] = [asked, performance.now()];
  await askFor(seconds * 1000);
  const [calls, took] = [asked - from, (performance.now() - began) / 1000];
  const { user, system } = process.cpuUsage(own);
  const all = { ...spentSince(office, before), API: ofApis() - apisBefore };
  const parts = Object.entries(all).map(([part, spent]) => [part, (1000 * spent) / calls]);
  return {
    perSecond: calls / took,
    callers: (user + system) / 1000 / calls,
    parts: Object.fromEntries(parts) as Record<Part, number>, // the same parts
  };
}

/** Every kind as often as it is wanted, spread evenly. */
function mixOf(wanted: readonly (readonly [Kind, number])[]): readonly Kind[] {
  return wanted
    .flatMap(([kind, times]) => Array.from({ length: times }, (_, n) => [(n + 0.5) / times, kind] as const))
    .toSorted(([one], [other]) => one - other)
    .map(([, kind]) => kind);
}
