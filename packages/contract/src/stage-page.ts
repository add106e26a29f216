/** Carries the key of a stage page's link; a page that is open without it is told nothing. */
export const STAGE_KEY_HEADER = "x-stage-key";

/** The same where a browser may set no header: it stands for a protocol of a WebSocket. */
const KEY_PROTOCOL = "followspot-stage-key.";
export const stageKeyProtocol = (key: string): string => KEY_PROTOCOL + key;

/** The key in the header of a WebSocket that names its protocols; undefined when there is none. */
export const stageKeyOf = (protocols: string | undefined): string | undefined =>
  protocols
    ?.split(",")
    .map((each) => each.trim())
    .find((each) => each.startsWith(KEY_PROTOCOL))
    ?.slice(KEY_PROTOCOL.length);

/** What stands in the middle of a stage page. */
export type StageShown =
  | { readonly view: "home" }
  | { readonly view: "announcement"; readonly text: string }
  | {
      readonly view: "talk";
      readonly title: string;
      /** Empty for a talk without one. */
      readonly speaker: string;
      /** Changes with the picture of the talk; empty when it has none. */
      readonly image: string;
    }
  | { readonly view: "leaderboard"; readonly players: readonly { readonly name: string; readonly points: number }[] }
  | { readonly view: "player"; readonly name: string; readonly points: number };

/** Everything a stage page shows. It is for everybody in the hall: names as they are shown, no ids, nothing more. */
export interface StagePicture {
  /** Title of the event; empty on the screen of no event. */
  readonly title: string;
  readonly revision: number;
  readonly shown: StageShown;
  /** Empty for none. */
  readonly status: string;
  /** `ends_at` in ms since 1970 by the server's clock. */
  readonly timer: { readonly ends_at: number; readonly seconds: number } | null;
  /** The song the stage plays now. */
  readonly song: { readonly title: string; readonly artist: string } | null;
  /** Behind it all the stage is shown, as `/lights/lamps/{id of the screen}` tells what its lamps are sent. */
  readonly lamps: boolean;
}

/**
 * Server → stage page: JSON in the `data` of each event of `/api/stage/{id}/events`. `server_time` in ms since 1970.
 * After `withdrawn` the stream ends: the link is not valid any more.
 */
export type StagePageMessage =
  | { readonly type: "picture"; readonly server_time: number; readonly picture: StagePicture }
  | { readonly type: "beat"; readonly server_time: number }
  | { readonly type: "withdrawn" };
