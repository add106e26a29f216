import { describe, expect, test } from "vitest";
import {
  endAnnouncements,
  HOME,
  isTimerOver,
  nextScreen,
  type ScreenCommand,
  type ScreenState,
} from "./stage-screen.ts";

const NOW = new Date("2026-11-22T20:00:00Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
/** Returns the state after these commands, one second apart. */
const after = (...commands: readonly ScreenCommand[]) =>
  commands.reduce((state, command, i) => nextScreen(state, command, later(i)), HOME);

const talk = (talkId: string): ScreenCommand => ({ kind: "push talk", talkId });
const player = (playerId: string): ScreenCommand => ({ kind: "announce player", playerId });
const announce = (text: string, seconds = 0): ScreenCommand => ({ kind: "announce", text, seconds });
const timer = (seconds: number): ScreenCommand => ({ kind: "start timer", seconds });
const leaderboard: ScreenCommand = { kind: "show leaderboard" };
const home: ScreenCommand = { kind: "go home" };
const endTalk: ScreenCommand = { kind: "end talk" };

describe("an announcement", () => {
  test("covers the current view and reveals it when its time is over", () => {
    const covered = after(talk("T1"), announce("Fire drill", 10));
    expect(covered).toMatchObject({ view: "talk", talk: { id: "T1" }, announcement: { text: "Fire drill" } });
    expect(covered.announcement?.endsAt).toEqual(later(11));
    expect(endAnnouncements(covered, later(10.999))).toBe(covered);
    expect(endAnnouncements(covered, later(11))).toEqual(after(talk("T1")));
  });

  test("without a time limit stays until the next view is chosen", () => {
    const covered = after(leaderboard, announce("Bar is open"));
    expect(endAnnouncements(covered, later(86_400))).toBe(covered);
    for (const chosen of [talk("T1"), leaderboard, home, player("P1")]) {
      expect(nextScreen(covered, chosen, NOW).announcement).toBeUndefined();
    }
  });

  test("stays when status or timer change, or the talk beneath it ends", () => {
    const covered = after(talk("T1"), announce("Bar is open"));
    for (const beside of [
      timer(60),
      { kind: "stop timer" },
      { kind: "update status", status: "x" },
      endTalk,
    ] as const) {
      expect(nextScreen(covered, beside, NOW).announcement?.text).toBe("Bar is open");
    }
    expect(nextScreen(covered, endTalk, NOW)).toMatchObject({ view: "home", talk: undefined });
  });

  test("that is ended manually reveals the view beneath it", () => {
    expect(after(talk("T1"), announce("Bar is open", 60), { kind: "end announcement" })).toEqual(after(talk("T1")));
  });

  test("that has expired is absent for a command that precedes the clock's check", () => {
    const covered = nextScreen(HOME, announce("Short", 1), NOW);
    expect(nextScreen(covered, { kind: "update status", status: "x" }, later(2)).announcement).toBeUndefined();
  });
});

describe("a talk", () => {
  test("keeps its start time however often its view is chosen again", () => {
    expect(after(talk("T1"), leaderboard, talk("T1")).talk).toEqual({ id: "T1", since: later(0) });
    expect(after(talk("T1"), talk("T2")).talk).toEqual({ id: "T2", since: later(1) });
    expect(after(talk("T1"), endTalk, talk("T1")).talk).toEqual({ id: "T1", since: later(2) });
  });

  test("continues beneath other views until it is ended", () => {
    const behind = after(talk("T1"), leaderboard);
    expect(behind).toMatchObject({ view: "leaderboard", talk: { id: "T1" } });
    expect(nextScreen(behind, endTalk, NOW)).toMatchObject({ view: "leaderboard", talk: undefined });
  });

  test("that ends leaves the home screen; another talk replaces it", () => {
    expect(after(talk("T1"), endTalk)).toEqual(HOME);
    expect(after(talk("T1"), talk("T2"))).toMatchObject({ view: "talk", talk: { id: "T2" } });
  });

  test("whose row was deleted can still be ended", () => {
    expect(nextScreen({ ...HOME, view: "talk" }, endTalk, NOW)).toEqual(HOME);
  });
});

test("home ends talk, player, leaderboard and announcement, but keeps timer and status", () => {
  const busy = after(
    { kind: "update status", status: "Doors 20:00" },
    timer(300),
    talk("T1"),
    player("P1"),
    announce("!"),
  );
  expect(nextScreen(busy, home, NOW)).toEqual({ ...HOME, status: "Doors 20:00", timer: busy.timer });
});

test("a player is dropped with the next view", () => {
  expect(after(player("P1"), leaderboard).playerId).toBeUndefined();
  expect(after(player("P1"), player("P2")).playerId).toBe("P2");
});

test("a timer reports when it has run out, and stays until it is stopped or restarted", () => {
  const running = after(timer(60));
  expect([59.9, 60, 600].map((seconds) => isTimerOver(running, later(seconds)))).toEqual([false, true, true]);
  expect(nextScreen(running, timer(60), later(30)).timer?.endsAt).toEqual(later(90));
  expect(nextScreen(running, { kind: "stop timer" }, later(90)).timer).toBeUndefined();
  expect(isTimerOver(HOME, NOW)).toBe(false);
});

test("a command without effect returns the identical state", () => {
  const nothing: readonly (readonly [ScreenState, ScreenCommand])[] = [
    [HOME, home],
    [HOME, endTalk],
    [HOME, { kind: "stop timer" }],
    [HOME, { kind: "end announcement" }],
    [HOME, { kind: "update status", status: "" }],
    [after(talk("T1")), talk("T1")],
    [after(leaderboard), leaderboard],
    [after(player("P1")), player("P1")],
  ];
  for (const [state, command] of nothing) expect(nextScreen(state, command, NOW)).toBe(state);
});

test("repeating a command reveals the view beneath an announcement", () => {
  for (const press of [talk("T1"), leaderboard, player("P1")]) {
    expect(after(press, announce("!"), press)).toEqual(after(press));
  }
});
