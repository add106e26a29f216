import { fileURLToPath } from "node:url";

/** `sha256` is that of the file, in hex; `formerSha256` that of the WAV file that release 0.1.0 made of the same score. */
interface DemoSong {
  readonly title: string;
  readonly sha256: string;
  readonly formerSha256: string;
}

/** Songs to try lights with, by their names in `AddDemoSong`. `npm run demo-songs` renders their files from scores. */
export const DEMO_SONGS = {
  house: {
    title: "Harbour Lights",
    sha256: "8660da65a7b0c966eea58bdeee6fab6f9af223df3c7f82c677f9a06239d1a4c3",
    formerSha256: "6a06bdb251f65ce30489974ddcfe9a5b0d80e92516d5e7a3cf73260b951b65fa",
  },
  rock: {
    title: "Eight Second-hand Pars",
    sha256: "7da564bfa007f0c93ca54c4f84a68b0a4cd907109543fe9e8f6eab29c022d9bd",
    formerSha256: "0a9b779eeff8493ca0961e948f18d4452178c9ac57fe8ac51d041f7457de8b21",
  },
  ballad: {
    title: "Doors at Seven",
    sha256: "44a71f368eba8823d79e052091147f3fdc9ca6260a22697cc35f324ce70368b0",
    formerSha256: "be81ef1166dd21ef40ddc6b5b58c5ac36da095912a48ab8bcfafdb4bc71f7d9f",
  },
} as const satisfies Record<string, DemoSong>;
export type DemoSongName = keyof typeof DEMO_SONGS;

export const isDemoSong = (name: string): name is DemoSongName => Object.hasOwn(DEMO_SONGS, name);

/** Path of the song's MP3 file (44.1 kHz, stereo, 192 kbit/s, about 100 s). */
export const demoSongPath = (name: DemoSongName): string => fileURLToPath(new URL(`./${name}.mp3`, import.meta.url));

/** File name under which the song is added. "(demo)" tells it from the songs of users. */
export const demoFileName = (name: DemoSongName): string => `Followspot - ${DEMO_SONGS[name].title} (demo).mp3`;
