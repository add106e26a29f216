import { CLOSE, writeSentLamps, type SentLamps } from "@followspot/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LampFeed } from "./lamp-feed.ts";
import { LampsConnection, type LampsView } from "./lamps-connection.ts";

/** The stage's end of a connection. */
class Stage extends EventTarget {
  static opened: Stage[] = [];
  readonly readyState = 1;
  binaryType = "";
  constructor() {
    super();
    Stage.opened.push(this);
  }
  close(): void {}
  tell(sent: Partial<SentLamps>): void {
    const whole = { isWhole: false, isSending: true, isPreview: false, ms: 0, stretches: [], ...sent };
    this.dispatchEvent(new MessageEvent("message", { data: writeSentLamps(whole).buffer }));
  }
  cut(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

const views: LampsView[] = [];
let feed: LampFeed;
let connection: LampsConnection;
const values = (...bytes: number[]) => Uint8Array.from(bytes);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (draw: (now: number) => void) =>
    setTimeout(() => draw(performance.now()), 16),
  );
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  views.length = Stage.opened.length = 0;
  feed = new LampFeed();
  connection = new LampsConnection({
    url: "ws://stage/lights/lamps",
    connect: () => new Stage() as unknown as WebSocket,
    onView: (view) => views.push(view),
    onSent: feed.hear,
  });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("applies updates to each universe, and reports only changes of the connection", () => {
  const [stage] = Stage.opened;
  stage!.tell({ isWhole: true, stretches: [{ universe: 2, slot: 0, values: values(1, 2, 3) }, { universe: 1, slot: 0, values: values() }] }); // prettier-ignore
  for (let k = 0; k < 20; k++) stage!.tell({ stretches: [{ universe: 2, slot: 1, values: values(k) }] });
  expect([...feed.universes.get(2)!.subarray(0, 3)]).toEqual([1, 19, 3]);
  expect(views).toEqual([{ connection: "live", isSending: true, isPreview: false, universes: [1, 2] }]);
  stage!.tell({ isSending: false });
  expect(views.at(-1)).toEqual({ connection: "live", isSending: false, isPreview: false, universes: [1, 2] });
});

it("is drawn once per animation frame for any number of updates, and not at all without updates", () => {
  const draw = vi.fn();
  const stop = feed.onFrame(draw);
  vi.advanceTimersByTime(16);
  expect(draw).toHaveBeenCalledTimes(1);
  for (let k = 0; k < 5; k++) Stage.opened[0]!.tell({ stretches: [{ universe: 1, slot: 0, values: values(k) }] });
  vi.advanceTimersByTime(16);
  expect(draw).toHaveBeenCalledTimes(2);
  Stage.opened[0]!.tell({});
  vi.advanceTimersByTime(1000);
  expect(draw).toHaveBeenCalledTimes(2);
  feed.redraw();
  stop();
  vi.advanceTimersByTime(100);
  expect(draw).toHaveBeenCalledTimes(2);
});

it("reconnects when the stage is unreachable or silent, but not for a user without permission", () => {
  Stage.opened[0]!.tell({});
  Stage.opened[0]!.cut(CLOSE.stageAway);
  expect(views.at(-1)!.connection).toBe("lost");
  vi.advanceTimersByTime(500);
  Stage.opened[1]!.tell({ isWhole: true });
  expect(views.at(-1)!.connection).toBe("live");
  vi.advanceTimersByTime(4000);
  expect(views.at(-1)!.connection).toBe("lost");
  vi.advanceTimersByTime(500);
  Stage.opened[2]!.cut(CLOSE.forbidden);
  expect(views.at(-1)!.connection).toBe("ended");
  vi.advanceTimersByTime(60_000);
  expect(Stage.opened).toHaveLength(3);
});
