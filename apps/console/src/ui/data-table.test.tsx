// @vitest-environment jsdom
import type { User } from "@followspot/contract/user";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { act, useLayoutEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refreshSoon } from "../lib/list-refresh.ts";
import { chooseDensity } from "../lib/density.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen, type ListScreen } from "../lib/use-list-screen.ts";
import { giveSizes } from "../testing/list-place.tsx";
import { PagedUsers } from "../testing/paged-users.ts";
import { button, eventually, press, show } from "../testing/show.tsx";
import { USERS } from "../user/user.queries.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import type { TableColumn } from "./table-columns.ts";

const columns: readonly TableColumn<User>[] = [
  { id: "name", head: "Name", width: { min: 100, share: 1 }, sort: "name", narrow: "title", cell: ({ name }) => name },
  { id: "phone", head: "Phone", width: 100, hideBelow: 900, cell: () => "—" },
  { id: "actions", head: "Actions", width: 80, narrow: "actions", cell: () => <button type="button">Edit</button> },
];

let server: PagedUsers;
let list: ListScreen<User>;
let cache: QueryClient;

beforeEach(() => {
  giveSizes();
  server = new PagedUsers(5000);
});
afterEach(() => vi.restoreAllMocks());

function Screen({ search: first, ...props }: Partial<DataTableProps<User>> & { readonly search?: ListSearch }) {
  const [search, setSearch] = useState<ListSearch>(first ?? {});
  const shown = useListScreen(USERS, [search, (next) => setSearch((old) => ({ ...old, ...next }))]);
  const queries = useQueryClient();
  useLayoutEffect(() => {
    list = shown;
    cache = queries;
  });
  const text = { empty: "No users found.", loadError: "Error loading users" };
  return <DataTable label="Users" list={shown} columns={columns} rowHeight={44} text={text} {...props} />;
}

const open = (props: Parameters<typeof Screen>[0] = {}) => show(<Screen {...props} />, { routes: server.routes });

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const grid = () => document.querySelector<HTMLElement>("[role=grid]")!;
const filled = () => eventually(() => expect(rows().length).toBeGreaterThanOrEqual(10));

async function scrollTo(pixels: number): Promise<void> {
  await act(async () => {
    grid().scrollTop = pixels;
    grid().dispatchEvent(new Event("scroll"));
  });
}

const key = (name: string, target: HTMLElement = document.activeElement as HTMLElement) =>
  act(async () => target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));

// kept: Lists | A list rendered all of its rows | failed with the fault put back
test("keeps at most 60 rows in the DOM while thousands are scrolled through", async () => {
  await open();
  await filled();
  let most = 0;
  for (let page = 1; page <= 20; page++) {
    await scrollTo(page * 2000);
    await eventually(() => expect(list.rows.length).toBeGreaterThanOrEqual(page * 40));
    most = Math.max(most, rows().length);
  }
  expect(most).toBeLessThanOrEqual(60);
  expect(most).toBeGreaterThan(20);
  expect(Number(rows().at(-1)!.dataset["row"])).toBeGreaterThan(800);
});

test("loads a whole page ahead while the user scrolls, and renders no row twice for it", async () => {
  const drawn = vi.fn<(name: string) => string>((name) => name);
  const counted = columns.map((column) => (column.id === "name" ? { ...column, cell: drawName } : column));
  function drawName({ name }: User) {
    return drawn(name);
  }
  await open({ columns: counted });
  await filled();
  await eventually(() => expect(list.total).toBe(5000));
  expect(list.rows).toHaveLength(50);
  const before = new Set(rows().map(({ textContent }) => textContent));
  drawn.mockClear();
  await scrollTo(44 * 5);
  await eventually(() => expect(list.rows).toHaveLength(100));
  const stayed = rows().filter(({ textContent }) => before.has(textContent));
  expect(stayed.length).toBeGreaterThan(5);
  const again = drawn.mock.calls.map(([name]) => name);
  expect(stayed.filter(({ textContent }) => again.some((name) => textContent!.startsWith(name)))).toEqual([]);
  await scrollTo(44 * 90);
  await eventually(() => expect(list.rows).toHaveLength(200));
});

test("keeps at most 60 rows in the DOM on a screen of any height", async () => {
  vi.restoreAllMocks();
  giveSizes({ width: 3840, height: 2160 });
  await open();
  await filled();
  expect(rows().length).toBeLessThanOrEqual(60);
});

// kept: Lists | Columns moved with what the rows held | failed with the fault put back
test("column positions do not depend on the content of rows", async () => {
  server.users[4998] = { ...server.users[4998]!, name: "A very long name ".repeat(20) };
  await open();
  await filled();
  const places = new Set<string>();
  for (let page = 0; page < 3; page++) {
    await scrollTo(page * 1700);
    await eventually(() => expect(Number(rows().at(-1)!.dataset["row"])).toBeGreaterThan(page * 47));
    for (const row of document.querySelectorAll<HTMLElement>("[role=row]")) places.add(row.style.gridTemplateColumns);
  }
  expect([...places]).toEqual(["minmax(100px, 1fr) 100px 80px"]);
});

test("reports the position of a row among all rows", async () => {
  await open();
  await filled();
  await eventually(() => expect(grid().getAttribute("aria-rowcount")).toBe("5001"));
  await scrollTo(1200);
  // The first element is the row with the keyboard focus.
  await eventually(() => expect(Number(rows()[1]!.dataset["row"])).toBeGreaterThan(10));
  for (const row of rows()) expect(row.getAttribute("aria-rowindex")).toBe(String(Number(row.dataset["row"]) + 2));
});

test("claims no row count if the server did not count the rows", async () => {
  server.countFails = true;
  await open();
  await filled();
  expect(grid().getAttribute("aria-rowcount")).toBe("-1");
});

test("moves by keys, selects by Space and opens by Enter", async () => {
  const onOpen = vi.fn<(user: User) => void>();
  await open({ isSelectable: true, onOpen });
  await filled();
  rows()[0]!.focus();
  await key("ArrowDown");
  await key("ArrowDown");
  expect(document.activeElement).toBe(rows()[2]);
  await key("Enter");
  expect(onOpen.mock.calls[0]![0].id).toBe("u004997");
  await key(" ");
  expect(document.activeElement?.getAttribute("aria-selected")).toBe("true");
  expect(list.selection.count).toBe(1);
  await key("End");
  await eventually(() => expect(document.activeElement?.getAttribute("data-row")).not.toBe("2"));
  await key("Home");
  await eventually(() => expect(document.activeElement?.getAttribute("data-row")).toBe("0"));
});

// kept: Lists | End went to the last row that was loaded, page by page | failed on the old code
test("End loads all rows and goes to the last one, Home to the first", async () => {
  server = new PagedUsers(410);
  await open();
  await filled();
  rows()[0]!.focus();
  await key("End");
  await eventually(() => expect(document.activeElement?.getAttribute("data-row")).toBe("409"));
  expect([list.rows.length, list.hasMore]).toEqual([410, false]);
  await key("Home");
  await eventually(() => expect(document.activeElement?.getAttribute("data-row")).toBe("0"));
});

test("the focus stays where the user moves it while End loads rows", async () => {
  await open();
  await filled();
  rows()[0]!.focus();
  await key("End");
  await key("Home");
  await eventually(() => expect(document.activeElement?.getAttribute("data-row")).toBe("0"));
  const read = list.rows.length;
  await act(async () => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(list.rows.length).toBeLessThan(read + 500);
  expect(document.activeElement?.getAttribute("data-row")).toBe("0");
});

test("keys on a row's buttons go to the buttons", async () => {
  await open({ isSelectable: true });
  await filled();
  await key(" ", button("Edit"));
  expect(list.selection.count).toBe(0);
});

test("a click on a column head changes the order and its indicator", async () => {
  await open();
  await filled();
  const head = () => button("Name").closest("[role=columnheader]")!.getAttribute("aria-sort");
  expect(head()).toBe("none");
  await press("Name");
  expect(head()).toBe("ascending");
  await eventually(() => expect(rows()[0]!.textContent).toContain("Person 000000"));
  await press("Name");
  expect(head()).toBe("descending");
  expect(server.asked.at(-1)?.orderBy).toBe("name desc");
});

test("selects all matching rows, loaded or not", async () => {
  await open({ isSelectable: true, search: { show: "deleted" } });
  await filled();
  await act(async () => document.querySelector<HTMLElement>("[role=columnheader] input")!.click());
  await eventually(() => expect(list.selection.offered).toBe(500));
  await act(async () => list.selection.chooseWhole());
  expect(list.selection.count).toBe(500);
  expect(await list.selection.rows(new AbortController().signal)).toHaveLength(500);
});

test("clears the selection when the query changes", async () => {
  await open({ isSelectable: true });
  await filled();
  await act(async () => list.selection.toggle(list.rows[0]!));
  expect(list.selection.count).toBe(1);
  await act(async () => list.change({ q: "Person 0000" }));
  expect(list.selection.count).toBe(0);
});

test("shows that rows are loading", async () => {
  server.gate = new Promise(() => undefined);
  const place = await open();
  expect(place.querySelector("[role=status]")?.textContent).toBe("Loading...");
});

test("shows that the list is empty, or that nothing matches and how to show all", async () => {
  server = new PagedUsers(0);
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("No users found."));
  await act(async () => list.change({ q: "x" }));
  await eventually(() => expect(place.textContent).toContain("Nothing matches your search."));
  await press("Clear filters");
  await eventually(() => expect(place.textContent).toContain("No users found."));
});

test("shows why the list could not be read, and reads again on Retry", async () => {
  server.fails = "first";
  const place = await open();
  await eventually(() =>
    expect(place.textContent).toContain("Error loading users: [unavailable] The database is not reachable"),
  );
  server.fails = "no";
  await press("Retry");
  await filled();
});

test("shows only the denial to a user without permission", async () => {
  server.denies = true;
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("You may not see this."));
  expect(place.textContent).toContain("Error loading users: [permission_denied] You may not do this");
  expect(place.querySelector("button")).toBeNull();
});

test("keeps rows whose refetch failed and marks them as possibly stale", async () => {
  const place = await open();
  await filled();
  server.fails = "first";
  await act(async () => list.retry());
  await eventually(() => expect(place.textContent).toContain("These rows may be old. The database is not reachable."));
  expect(rows().length).toBeGreaterThan(10);
});

test("keeps the loaded pages when the next one fails, and retries on Retry", async () => {
  server.fails = "next";
  const place = await open();
  await filled();
  await scrollTo(1500);
  await eventually(() => expect(place.textContent).toContain("More rows could not be loaded"));
  expect(list.rows).toHaveLength(50);
  const asked = server.asked.length;
  await act(async () => new Promise((later) => setTimeout(later, 50)));
  expect(server.asked).toHaveLength(asked);
  server.fails = "no";
  await press("Retry");
  await eventually(() => expect(list.rows.length).toBeGreaterThan(50));
});

test("leaves a changed long list as it is and refetches it on request", async () => {
  const place = await open();
  await filled();
  for (let page = 1; page <= 5; page++) {
    await scrollTo(page * 1700);
    await eventually(() => expect(list.rows.length).toBeGreaterThan(page * 50));
  }
  const asked = server.asked.length;
  await act(async () => refreshSoon(cache, USERS.method));
  await eventually(() => expect(place.textContent).toContain("Rows have changed on the server"));
  expect(server.asked).toHaveLength(asked);
  server.users.push({ ...server.users.at(-1)!, id: "u999999", name: "Newest" });
  await press("Read again");
  await eventually(() => expect(list.rows[0]?.name).toBe("Newest"));
  expect(place.textContent).not.toContain("Rows have changed on the server");
});

test("shows the rows of the previous search until the next ones arrive", async () => {
  await open();
  await filled();
  let letGo = () => {};
  server.gate = new Promise((done) => (letGo = done));
  await act(async () => list.change({ q: "Person 00000" }));
  expect([rows().length > 10, list.isRefreshing, grid().getAttribute("aria-busy")]).toEqual([true, true, "true"]);
  letGo();
  await eventually(() => expect(list.rows).toHaveLength(10));
});

test("keeps title and actions in view in a narrow table", async () => {
  vi.restoreAllMocks();
  giveSizes({ width: 328, height: 600 });
  await open({ isSelectable: true });
  await filled();
  const cells = [...rows()[0]!.querySelectorAll("[role=gridcell]")].map(({ textContent }) => textContent);
  expect(cells).toEqual(["Select row", "Person 004999", "Edit"]);
});

test("a narrow row whose buttons fit beside the title has one line", async () => {
  vi.restoreAllMocks();
  giveSizes({ width: 328, height: 600 });
  await open({
    columns: columns.map((column) => (column.id === "actions" ? { ...column, narrow: "beside" } : column)),
  });
  await filled();
  expect(rows()[0]!.style.height).toBe("44px");
});

test("omits hidden columns and columns that do not fit", async () => {
  vi.restoreAllMocks();
  giveSizes({ width: 800, height: 500 });
  await open();
  await filled();
  const heads = () => [...document.querySelectorAll("[role=columnheader]")].map(({ textContent }) => textContent);
  expect(heads()).toEqual(["Name", "Actions"]);
});

test("rows are 44 px high, and 36 px at compact density", async () => {
  await open();
  await filled();
  expect(rows()[0]!.style.height).toBe("44px");
  act(() => chooseDensity("compact"));
  await eventually(() => expect(rows()[0]!.style.height).toBe("36px"));
  expect(localStorage.getItem("followspot.density")).toBe("compact");
  act(() => chooseDensity("comfortable"));
});
