// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { FeedbackSchema, TalkSchema, TalkService, type Feedback } from "@followspot/contract/talk";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { FeedbackDrawer } from "./feedback-drawer.tsx";

let said: Feedback[];
let failure: ConnectError | undefined;

beforeEach(() => {
  said = [];
  failure = undefined;
});

const say = (userName: string, text: string, rating = 0) =>
  said.unshift(
    create(FeedbackSchema, { userId: userName, userName, text, rating, createdAt: timestampFromMs(Date.now()) }),
  );

const open = (title = "Fog") =>
  show(
    <Surroundings
      roles={["Director"]}
      routes={(router) =>
        router.service(TalkService, {
          listFeedback: ({ talkId, list }) => {
            if (failure) throw failure;
            expect(talkId).toBe("t1");
            const from = Number(list?.pageToken || 0);
            const size = 2;
            const nextPageToken = said.length > from + size ? String(from + size) : "";
            return { feedback: said.slice(from, from + size), nextPageToken };
          },
          countFeedback: () => {
            if (failure) throw failure;
            const rated = said.filter(({ rating }) => rating > 0);
            const sum = rated.reduce((all, { rating }) => all + rating, 0);
            return {
              counts: [
                { filter: "", count: said.length },
                { filter: "rated", count: rated.length },
              ],
              averageRating: rated.length > 0 ? sum / rated.length : 0,
            };
          },
        })
      }
    >
      <FeedbackDrawer talk={create(TalkSchema, { id: "t1", title })} onClose={vi.fn()} />
    </Surroundings>,
  );

const isHere = (claim: string) => eventually(() => expect(document.body.textContent).toContain(claim));

test("says how many spoke, how they rated the talk on average, and what they said", async () => {
  say("Bea", "Loud", 2);
  say("Cy", "Bright", 5);
  await open();
  await isHere('Feedback on "Fog"');
  await isHere("3.5 of 5");
  await isHere("on average, from 2 ratings");
  await isHere("2 people said something");
  await isHere("Bright");
  expect(document.body.textContent).toContain("Loud");
});

test("does not make up a rating where there are none", async () => {
  say("Bea", "Loud");
  await open();
  await isHere("No one has rated it yet.");
  await isHere("1 person said something");
  expect(document.body.textContent).not.toContain("of 5");
});

test("says what has to happen before there is something to read", async () => {
  await open("");
  await isHere('Feedback on "No title"');
  await isHere("No feedback yet. Members give it in the community app, once per talk.");
});

test("reads older words when asked", async () => {
  for (const name of ["Bea", "Cy", "Di"]) say(name, `Word of ${name}`);
  await open();
  await isHere("Word of Di");
  expect(document.body.textContent).not.toContain("Word of Bea");
  await press("Show older");
  await isHere("Word of Bea");
});

test("says why nothing could be read, and reads it when asked again", async () => {
  say("Bea", "Loud", 2);
  failure = new ConnectError("the server cannot be reached", Code.Unavailable);
  await open();
  await isHere("Error loading feedback");
  await isHere("The feedback could not be counted. The server cannot be reached.");
  failure = undefined;
  await press("Retry");
  await isHere("Loud");
  await press("Count again");
  await isHere("2 of 5");
});
