// @vitest-environment jsdom
import { SoundService } from "@followspot/contract/sound";
import { expect, test } from "vitest";
import { addressed } from "../../testing/addressed.tsx";
import { eventually, press, show } from "../../testing/show.tsx";
import { PlaylistsPage } from "./playlists-page.tsx";

// kept: Console | Player on Tonight led to the playlists, where the link of the player had to be found | failed on the old code
test("an address opens the link of the player, and closing it returns to the playlists", async () => {
  const { router, page } = addressed(<PlaylistsPage />, "/?open=player");
  await show(page, {
    routes: ({ service }) =>
      service(SoundService, { getSound: () => ({ sound: { linkPath: "/player#key=K", volume: 1 } }) }),
  });
  await eventually(() =>
    expect(document.querySelector<HTMLInputElement>("dialog input, [role=dialog] input")?.value).toContain(
      "/player#key=K",
    ),
  );
  await press("Close");
  await eventually(() => expect(router.state.location.search).toEqual({}));
});
