import { setTimeout as pause } from "node:timers/promises";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import type { Product } from "../../e2e/testing/product.ts";
import { upload } from "../../e2e/testing/songs.ts";
import { EVENT } from "./fill.ts";

const PAUSE_MS = 20;
const SONG_MS = 4000;

export interface Work {
  readonly done: () => number;
  end(): Promise<void>;
}

/** People sign up, change and vote, songs come, are worked on and are deleted, until it is ended. */
export function startWork(product: Product): Work {
  let isOver = false;
  let done = 0;
  const people = async () => {
    for (let i = 0; !isOver; i++, await pause(PAUSE_MS)) {
      const { user } = await product.call("user.v1.UserService/CreateUser", { name: `New ${i}` });
      await product.call("user.v1.UserService/UpdateUser", { user_id: user.id, bio: `said ${i}` });
      const { talk } = await product.call("talk.v1.TalkService/CreateTalk", { title: `Talk ${i}`, event_id: EVENT });
      await product.call("talk.v1.TalkService/Vote", { talk_id: talk.id });
      done += 4;
    }
  };
  const songs = async () => {
    for (let i = 0; !isOver; i++, await pause(SONG_MS)) {
      const { body } = await upload(product, `Bench - ${i}.wav`, synthesiseSong(5, 90 + i / 16));
      if (i % 2 === 0) await product.call("music.v1.MusicService/DeleteSong", { song_id: body.song.id });
      done += 1;
    }
  };
  const working = Promise.all([people(), songs()]);
  working.catch(() => {}); // told by end
  return {
    done: () => done,
    end: async () => {
      isOver = true;
      await working;
    },
  };
}
