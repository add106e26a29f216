// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { FirstStepsService } from "@followspot/contract/firststeps";
import { beforeEach, expect, test } from "vitest";
import { addressed } from "../testing/addressed.tsx";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { useFirstSteps } from "./first-steps.queries.ts";
import { FirstSteps } from "./first-steps.tsx";

const IDS = ["owner", "lamps", "output", "song", "light", "event", "people"];
const stepsDone = (...done: string[]) => IDS.map((id) => ({ id, isDone: done.includes(id) }));

interface Answer {
  readonly steps: readonly { readonly id: string; readonly isDone: boolean }[];
  readonly isHidden?: boolean;
  readonly demoNight: { readonly state: string; readonly says?: string };
  readonly canMakeDemoNight: boolean;
}

let answer: Answer;
let refusal: string | undefined;
beforeEach(() => {
  answer = { steps: stepsDone("owner"), demoNight: { state: "none" }, canMakeDemoNight: true };
  refusal = undefined;
});

function routes(router: ConnectRouter): void {
  const turn = (demoNight: { state: string; says?: string }) => {
    if (refusal !== undefined) throw new ConnectError(refusal, Code.FailedPrecondition);
    answer = { ...answer, demoNight, canMakeDemoNight: false };
    return { demoNight };
  };
  router.service(FirstStepsService, {
    getFirstSteps: () => ({ ...answer, steps: [...answer.steps] }),
    hideFirstSteps: ({ isHidden }) => ((answer = { ...answer, isHidden }), { isHidden }),
    makeDemoNight: () => turn({ state: "making", says: "people with gold" }),
    removeDemoNight: () => turn({ state: "removing" }),
  });
}

function Place() {
  const { data } = useFirstSteps();
  return (
    <>
      {data && <FirstSteps answer={data} />}
      <Toasts />
    </>
  );
}

const open = () =>
  show(
    <Surroundings routes={routes} roles={["Admin"]}>
      {addressed(<Place />).page}
    </Surroundings>,
  );
const links = () => [...document.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]);

test("lists what is still to do, each with a sentence and the way there", async () => {
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("1 of 7 done"));
  expect(place.textContent).toContain("Eight pars take one press.");
  expect(links()).toEqual([
    ["Add lamps", "/lights?open=several"],
    ["Add output", "/lights?open=outputs"],
    ["Upload files", "/music"],
    ["Add song", "/music?add=true"],
    ["Preflight", "/preflight"],
    ["New event", "/events?open=new"],
    ["Add people", "/users?open=new"],
  ]);
});

test("a step that is done is ticked and has no button", async () => {
  answer = { ...answer, steps: stepsDone("owner", "lamps"), canMakeDemoNight: false };
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("2 of 7 done"));
  expect(links().map(([name]) => name)).not.toContain("Add lamps");
  const marks = [...place.querySelectorAll("[role=img]")].map((mark) => mark.getAttribute("aria-label"));
  expect(marks).toEqual(["Done", "Done", "To do", "To do", "To do", "To do", "To do"]);
});

test("once most are done it is one line with what comes next, and a press shows all", async () => {
  answer = { ...answer, steps: stepsDone("owner", "lamps", "output", "song"), canMakeDemoNight: false };
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("4 of 7 done"));
  expect(place.textContent).toContain("Light. Walk through the lamps in Preflight");
  expect(links().map(([name]) => name)).toEqual(["Preflight"]);
  await press("Show all");
  expect(links().map(([name]) => name)).toEqual(["Preflight", "New event", "Add people"]);
});

test.each([
  ["all steps are done", { steps: stepsDone(...IDS) }],
  ["the list was hidden", { isHidden: true }],
])("nothing is shown once %s", async (_why, changed) => {
  answer = { ...answer, ...changed, canMakeDemoNight: false };
  const place = await open();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(place.textContent).not.toContain("First steps");
  expect(place.querySelector("section")).toBeNull();
});

test("hiding the list can be undone", async () => {
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("First steps"));
  await press("Hide first steps");
  await eventually(() => expect(place.textContent).not.toContain("1 of 7 done"));
  await eventually(() => expect(document.body.textContent).toContain("First steps are hidden on every dashboard."));
  await press("Undo");
  await eventually(() => expect(place.textContent).toContain("1 of 7 done"));
});

test("an empty installation offers a demo night, tells how it is made, and removes it with one press", async () => {
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("Only looking?"));
  await press("Show me a night");
  await eventually(() => expect(place.textContent).toContain("Making the demo night: people with gold…"));
  answer = { ...answer, demoNight: { state: "made" } };
  await eventually(() => expect(place.textContent).toContain("The demo night is here."));
  await press("Remove the demo night");
  await eventually(() => expect(place.textContent).toContain("Removing the demo night…"));
  answer = { ...answer, demoNight: { state: "none" }, canMakeDemoNight: true };
  await eventually(() => expect(place.textContent).toContain("Only looking?"));
});

test("a demo night is shown also where the list was hidden", async () => {
  answer = { ...answer, isHidden: true, demoNight: { state: "made" }, canMakeDemoNight: false };
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("The demo night is here."));
  expect(place.textContent).not.toContain("First steps");
});

test("a demo night that could not be made whole says why, and what is there can be removed", async () => {
  answer = { ...answer, demoNight: { state: "broken", says: "There is no space left." }, canMakeDemoNight: false };
  const place = await open();
  await eventually(() =>
    expect(place.querySelector("[role=alert]")?.textContent).toBe(
      "The demo night is not whole. There is no space left.",
    ),
  );
  await press("Remove what is there");
  await eventually(() => expect(place.textContent).toContain("Removing the demo night…"));
});

test("a refusal of the demo night is said", async () => {
  refusal = "There are events, lights, songs or playlists here already.";
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("Only looking?"));
  await press("Show me a night");
  await eventually(() => expect(document.body.textContent).toContain(refusal));
});
