// @vitest-environment jsdom
import { EventService } from "@followspot/contract/event";
import { beforeEach, expect, test, vi } from "vitest";
import { addressed } from "../../testing/addressed.tsx";
import { button, choose, eventually, press, show, Surroundings } from "../../testing/show.tsx";
import { CodesPage, MOST_CODES } from "./codes-page.tsx";

let people: number;
beforeEach(() => {
  people = 0;
  vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  vi.spyOn(window, "print").mockImplementation(() => undefined);
});

const name = (n: number) => `Guest ${String(n).padStart(4, "0")}`;

function open() {
  const { page } = addressed(<CodesPage eventId="e1" />);
  return show(
    <Surroundings
      roles={["Director"]}
      routes={(router) =>
        router.service(EventService, {
          getEvent: () => ({ event: { id: "e1", title: "Friday" } }),
          listAttendeeCodes: ({ list }) => {
            const from = Number(list?.pageToken || 0);
            const to = Math.min(people, from + (list?.pageSize ?? 50));
            const codes = Array.from({ length: to - from }, (_, i) => {
              const n = from + i + 1;
              return { userId: `u${n}`, userName: name(n), code: `c${n}` };
            });
            return { codes, nextPageToken: to < people ? String(to) : "" };
          },
        })
      }
    >
      {page}
    </Surroundings>,
  );
}
const drawn = () => [...document.querySelectorAll<HTMLElement>("[data-code]")].map(({ dataset }) => dataset["code"]);
const sees = (claim: string) => eventually(() => expect(document.body.textContent).toContain(claim));

test("draws and prints the codes of all attendees at once if there are few", async () => {
  people = 30;
  await open();
  await sees("30 codes on 2 A4 pages");
  expect(drawn()).toHaveLength(30);
  await press("Print");
  expect(window.print).toHaveBeenCalledOnce();
});

test("splits thousands of codes into parts with continuous page numbers", async () => {
  people = MOST_CODES + 25;
  await open();
  await sees(`${people} codes on 22 A4 pages`);
  expect(drawn()).toHaveLength(MOST_CODES);
  expect(document.body.textContent).toContain(`1 of 2: ${name(1)} – ${name(MOST_CODES)}`);
  const first = drawn();
  await choose("Part", "1");
  await eventually(() => expect(drawn()).toHaveLength(25));
  expect(new Set([...first, ...drawn()]).size).toBe(people);
  expect([...document.querySelectorAll("ul")].map(({ ariaLabel }) => ariaLabel)).toEqual([
    "Page 21 of 22",
    "Page 22 of 22",
  ]);
  expect(button("Print this part").disabled).toBe(false);
});

test("returns to the first part when the filter changes", async () => {
  people = MOST_CODES + 1;
  await open();
  await eventually(() => expect(drawn()).toHaveLength(MOST_CODES));
  await choose("Part", "1");
  await eventually(() => expect(drawn()).toHaveLength(1));
  await choose("Codes of", "missing");
  await eventually(() => expect(drawn()).toHaveLength(MOST_CODES));
});

test("reports that there are no codes to print", async () => {
  await open();
  await sees("No one is left to print a code for.");
  expect(button("Print").disabled).toBe(true);
});

test("prints a list to tick by surname, with all names in one part", async () => {
  people = MOST_CODES + 1;
  await open();
  await sees("1 of 2");
  await choose("Print as", "list");
  await sees(`${people} names on 7 A4 pages`);
  const names = [...document.querySelectorAll("ol li")].map(({ textContent }) => textContent);
  expect(names).toHaveLength(people);
  expect(names[0]).toContain("0001, Guest");
  expect(drawn()).toEqual([]);
  expect(button("Print").disabled).toBe(false);
});
