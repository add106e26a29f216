import { describe, expect, test } from "vitest";
import { WaitError } from "../step-error.ts";
import { DIRECT, type LinkAccess } from "./link-access.ts";
import { explainFault, OutgrownError } from "./site-faults.ts";

const COOKIES: LinkAccess = { ...DIRECT, cookies: "/etc/followspot/cookies.txt" };
const PROXY: LinkAccess = { ...DIRECT, proxy: "http://ada:s3cret-word@proxy.example:8080" };
const explain = (words: string, access = DIRECT, secrets: readonly string[] = []) =>
  explainFault(`[youtube] Extracting URL\nWARNING: [youtube] x: something\nERROR: ${words}\n`, access, secrets);
const V = "[youtube] dQw4w9WgXcQ: ";
const SEE =
  "Use --cookies-from-browser or --cookies for the authentication. See  https://github.com/yt-dlp/yt-dlp/wiki/FAQ#how-do-i-pass-cookies-to-yt-dlp  for how to manually pass cookies. Also see  https://github.com/yt-dlp/yt-dlp/wiki/Extractors#exporting-youtube-cookies  for tips on effectively exporting YouTube cookies";
const REPORT =
  "; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues?q= , filling out the appropriate issue template. Confirm you are on the latest version using  yt-dlp -U";
const CAUSED =
  "(caused by TransportError(\"HTTPSConnection(host='www.youtube.com', port=443): Failed to resolve 'www.youtube.com' ([Errno -2] Name or service not known)\"))";

/** Messages of yt-dlp, and the sentence that replaces each. */
const FAULTS: readonly (readonly [words: string, sentence: RegExp])[] = [
  [
    `${V}Sign in to confirm you’re not a bot. ${SEE}`,
    /robot.*Name cookies of a signed-in browser in FOLLOWSPOT_YTDLP_COOKIES, or upload/,
  ],
  [`${V}Sign in to confirm you're not a bot. ${SEE}`, /robot.*FOLLOWSPOT_YTDLP_COOKIES/],
  [
    `${V}Sign in to confirm your age. This video may be inappropriate for some users. ${SEE}`,
    /signed-in adults only.*COOKIES/,
  ],
  [`${V}This video is age-restricted and only available on YouTube. Learn more`, /signed-in adults only/],
  [`${V}The uploader has not made this video available in your country`, /country of the server.*FOLLOWSPOT_PROXY/],
  [
    `${V}Video unavailable. This video contains content from UMG, who has blocked it in your country on copyright grounds`,
    /country of the server/,
  ],
  ["[soundcloud] 12: This video is not available from your location due to geo restriction", /country of the server/],
  [
    `${V}Private video. Sign in if you've been granted access to this video. ${SEE}`,
    /^This is private\. Ask its owner/,
  ],
  [`${V}Video unavailable. This video is private`, /^This is private/],
  ["[youtube:tab] PLx: This playlist is private, use --username …", /^This is private/],
  [
    `${V}Join this channel to get access to members-only content like this video, and other exclusive perks.`,
    /members of its channel only.*COOKIES of a member/,
  ],
  [
    `${V}This video is available to this channel's members on level: Fan (or any higher level).`,
    /members of its channel only/,
  ],
  [`${V}This video requires payment to watch`, /paid for/],
  [`${V}This video is only available to Music Premium members`, /paid for/],
  [`${V}Video unavailable. This video has been removed by the uploader`, /not there any more/],
  [`${V}This video has been removed for violating YouTube's Terms of Service`, /not there any more/],
  [
    `${V}Video unavailable. This video is no longer available because the YouTube account associated with this video has been terminated.`,
    /not there any more/,
  ],
  [`${V}Video unavailable`, /not there any more/],
  [
    "[soundcloud] 12: Unable to download JSON metadata: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)",
    /not there any more/,
  ],
  ["[youtube:tab] PLx: YouTube said: The playlist does not exist.", /not there any more/],
  [`${V}This video is DRM protected`, /protected against copying/],
  [
    "[DRM] The requested site is known to use DRM protection. It will NOT be supported by yt-dlp. Please DO NOT open an issue.",
    /protected against copying/,
  ],
  [`${V}This live event will begin in 3 hours.`, /has not begun\. Retry it when it is over/],
  [`${V}Premieres in 2 days`, /has not begun/],
  [`${V}Premiere will begin shortly`, /has not begun/],
  [`${V}This live stream recording is not available.`, /no recording/],
  ["Unsupported URL: https://example.org/page", /finds no sound behind this link/],
];

const NETWORK_FAULTS: readonly (readonly [words: string, sentence: RegExp])[] = [
  [
    `${V}Unable to download API page: HTTPSConnection(host='www.youtube.com', port=443): Failed to resolve 'www.youtube.com' ([Errno -2] Name or service not known) ${CAUSED}`,
    /its name has no address here. Let the server reach it/,
  ],
  [
    `${V}Unable to download webpage: HTTPSConnection(host='www.youtube.com', port=443): Failed to establish a new connection: [Errno 111] Connection refused (caused by X)`,
    /does not reach the site. Let the server reach it/,
  ],
  [`${V}Unable to download webpage: [Errno 101] Network is unreachable (caused by X)`, /does not reach the site/],
  [`${V}Unable to download webpage: The read operation timed out`, /does not reach the site/],
  [
    `${V}Unable to download webpage: HTTP Error 503: Service Unavailable (caused by <HTTPError 503>)`,
    /a fault of its own/,
  ],
  [
    `${V}Unable to download webpage: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:1006)`,
    /certificate/,
  ],
  [
    `${V}Unable to download webpage: ('Unable to connect to proxy', OSError('Tunnel connection failed: 407 Proxy Authentication Required'))`,
    /A proxy does not let/,
  ],
  [
    `${V}Unable to download API page: <urlopen error Tunnel connection failed: 407 Proxy Authentication Required>${REPORT}`,
    /A proxy does not let/,
  ],
  [`query "x" page 1: Unable to download API page: <urlopen error timed out>${REPORT}`, /does not reach the site/],
];

describe("an error message of the downloader", () => {
  // kept: Songs and jobs | A site's demand for a sign-in, an age or a country was shown in yt-dlp's words, with options
  // that no user could set | failed on the old code
  test.each(FAULTS)("%s: is replaced by our sentence, and is not retried automatically", (words, sentence) => {
    const error = explain(words);
    expect(error.message).toMatch(sentence);
    expect(error.retry).toBe(false);
    expect(error).not.toBeInstanceOf(OutgrownError);
  });

  test.each(NETWORK_FAULTS)("%s: is replaced by our sentence, and is retried", (words, sentence) => {
    const error = explain(words);
    expect(error.message).toMatch(sentence);
    expect(error.retry).toBe(true);
  });

  // kept: Songs and jobs | Searches and downloads without a network failed with a Python error | also
  test.each([...FAULTS, ...NETWORK_FAULTS])("%s: is one line with a remedy and without technical terms", (words) => {
    for (const access of [DIRECT, COOKIES, PROXY]) {
      const { message } = explain(words, access);
      expect(message).toMatch(/(Retry|retry|upload|Take|Name|Ask|Check|Let)\b/);
      expect(message).not.toMatch(/--cookies|github|Errno|HTTPSConnection|host=|caused by|yt-dlp|\n|s3cret/);
      expect(message.length).toBeLessThan(260);
    }
  });

  test("suggests another remedy if cookies or a proxy are set", () => {
    const bot = explain(`${V}Sign in to confirm you’re not a bot. ${SEE}`, COOKIES).message;
    expect(bot).toMatch(/although it has cookies\. Export the cookies again/);
    expect(explain(`${V}Private video. Sign in`, COOKIES).message).toMatch(/account of the cookies may not see it/);
    expect(explain(`${V}not made this video available in your country`, PROXY).message).toMatch(
      /country of FOLLOWSPOT_PROXY/,
    );
    const away = explain(`${V}Unable to connect to proxy`, PROXY);
    expect(away.message).toMatch(/The proxy of FOLLOWSPOT_PROXY does not let/);
  });

  test.each([
    `${V}Unable to download webpage: HTTP Error 429: Too Many Requests`,
    `${V}This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour. It is recommended to use \`-t sleep\` to add a delay between video requests to avoid exceeding the rate limit.`,
  ])("%s: delays the retry", (words) => {
    const error = explain(words);
    expect(error).toBeInstanceOf(WaitError);
    expect(error).toMatchObject({ wait: { kind: "site" }, message: expect.stringContaining("slow down") });
  });

  test.each([
    "unable to write data: [Errno 28] No space left on device",
    "unable to open for writing: [Errno 122] Disk quota exceeded: 'sound.140.m4a.part'",
  ])("%s: waits for disk space", (words) => {
    expect(explain(words)).toMatchObject({ wait: { kind: "room" }, message: expect.stringContaining("no space left") });
  });

  test.each([
    [`${V}Unable to extract player response${REPORT}`, "Unable to extract player response"],
    [
      `${V}Requested format is not available. Use --list-formats for a list of available formats`,
      "Requested format is not available. Use …",
    ],
    [
      "unable to download video data: HTTP Error 403: Forbidden",
      "unable to download video data: HTTP Error 403: Forbidden",
    ],
    [`${V}No video formats found!${REPORT}`, "No video formats found!"],
  ])("%s: triggers an update of the downloader", (words, kept) => {
    const error = explain(words);
    expect(error).toBeInstanceOf(OutgrownError);
    if (!kept.endsWith("…")) expect(error.message).toContain(`("${kept}")`);
    expect(error.message).not.toMatch(/github|issue/);
  });

  test("shows unknown messages as they are, without paths, secrets and internals", () => {
    expect(explain(`${V}The uploader is on holiday`).message).toBe("The uploader is on holiday");
    expect(explain("unable to open /var/lib/followspot/secret/file").message).toBe("unable to open …");
    expect(explain("the word is s3cret-word", PROXY, ["s3cret-word"]).message).toBe("the word is …");
    for (const words of ["<urllib3.X object at 0x7fb>", "KeyError('videoDetails')", "foo(host='x')", ""])
      expect(explain(words).message).toMatch(/^yt-dlp failed without saying why\. Retry/);
  });
});
