/** Names of the demo songs, as AddDemoSong takes them. */
export const DEMO_SONGS = ["house", "rock", "ballad"] as const;
