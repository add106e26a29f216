import { noRoom, StepError, WaitError } from "../step-error.ts";
import type { LinkAccess, LinkSecrets } from "./link-access.ts";

/** The site has changed and this version of yt-dlp does not support it; a newer one may. */
export class OutgrownError extends StepError {}

interface Fault {
  /** Matches yt-dlp's error message. */
  readonly says: RegExp;
  readonly sentence: string;
  /** Replaces the sentence if the settings have cookies, or a proxy. */
  readonly withCookies?: string;
  readonly withProxy?: string;
  /** Whether a retry may succeed. */
  readonly retry?: true;
}

const OR_UPLOAD = "or upload the file";
const COOKIES = "Name cookies of a signed-in browser in FOLLOWSPOT_YTDLP_COOKIES";
const COOKIES_AGAIN = "Export the cookies again";

/** Refusals by sites, the more specific patterns first. */
const FAULTS: readonly Fault[] = [
  {
    says: /confirm you.{1,3}re not a bot|verify that you are human|captcha/i,
    sentence: `The site takes this server for a robot, as it does with many rented ones. ${COOKIES}, ${OR_UPLOAD}.`,
    withCookies: `The site takes this server for a robot although it has cookies. ${COOKIES_AGAIN}, set FOLLOWSPOT_PROXY, ${OR_UPLOAD}.`,
  },
  {
    says: /confirm your age|\bage.restricted|inappropriate for some users/i,
    sentence: `The site shows this to signed-in adults only. ${COOKIES} of an adult's account, ${OR_UPLOAD}.`,
    withCookies: `The site shows this to signed-in adults only, and takes the cookies for none. ${COOKIES_AGAIN} from an adult's account, ${OR_UPLOAD}.`,
  },
  {
    says: /members.only|join this channel|channel's members|patrons? only/i,
    sentence: `This is for members of its channel only. ${COOKIES} of a member, ${OR_UPLOAD}.`,
    withCookies: `This is for members of its channel only, and the cookies are of none. ${COOKIES_AGAIN} from a member's browser, ${OR_UPLOAD}.`,
  },
  {
    says: /requires payment|premium members|purchase|only available for registered users|subscribers? only/i,
    sentence: `The site wants this to be paid for or signed in for. Take another link, ${OR_UPLOAD}.`,
  },
  {
    says: /\b(in|from) your (country|location|region)\b|geo.?restrict|not available in your/i,
    sentence: `This may not be heard in the country of the server. Take another link, set FOLLOWSPOT_PROXY to a proxy elsewhere, ${OR_UPLOAD}.`,
    withProxy: `This may not be heard in the country of FOLLOWSPOT_PROXY. Take another link or a proxy elsewhere, ${OR_UPLOAD}.`,
  },
  {
    says: /private (video|playlist|track|album)|(video|playlist|track|album) is private|HTTP Error 401|login required|use --username/i,
    sentence: `This is private. Ask its owner to share it, name cookies of an account that may see it in FOLLOWSPOT_YTDLP_COOKIES, ${OR_UPLOAD}.`,
    withCookies: `This is private, and the account of the cookies may not see it. Ask its owner to share it, ${OR_UPLOAD}.`,
  },
  {
    says: /\bDRM\b/,
    sentence: `This is protected against copying. Take another link, ${OR_UPLOAD}.`,
  },
  {
    says: /live event will begin|premieres? (in|will)|premiere will begin|has not (yet )?(begun|started)|is upcoming/i,
    sentence: "This stream or premiere has not begun. Retry it when it is over.",
  },
  {
    says: /live stream recording is not available|this live event has ended/i,
    sentence: `This stream is over, and the site has no recording of it. Take another link, ${OR_UPLOAD}.`,
  },
  {
    says: /video unavailable|has been removed|no longer (available|exists)|been terminated|(does not|doesn't) exist|(video|content|track|page) (is not|isn't) available|unviewable|HTTP Error (404|410)/i,
    sentence: `This is not there any more, or never was. Check that the link opens in a browser, take another one, ${OR_UPLOAD}.`,
  },
  {
    says: /unsupported url|no (video|media|audio) could be found/i,
    sentence: `The downloader finds no sound behind this link. Take the link of one song, ${OR_UPLOAD}.`,
  },
];

/** Network faults between the server and the site. */
const NETWORK_FAULTS: readonly Fault[] = [
  {
    says: /unable to connect to proxy|proxyerror|proxy authentication|HTTP Error 407|tunnel connection failed|socks\d?.{0,9}(error|fail|auth)/i,
    sentence: "A proxy does not let the server reach the site. Check the network, then retry.",
    withProxy: "The proxy of FOLLOWSPOT_PROXY does not let the server reach the site. Check the setting, then retry.",
    retry: true,
  },
  {
    says: /failed to resolve|getaddrinfo|name or service not known|name resolution|nodename nor servname/i,
    sentence: "The server does not find the site: its name has no address here. Let the server reach it, then retry.",
    withProxy:
      "The site or the proxy of FOLLOWSPOT_PROXY is not found: its name has no address here. Check the setting, then retry.",
    retry: true,
  },
  {
    says: /certificate|SSL:|tlsv1/i,
    sentence:
      "The server does not trust the site's certificate. Check its clock and what stands between it and the site, then retry.",
    retry: true,
  },
  {
    says: /HTTP Error 5\d\d|service unavailable|bad gateway|internal server error/i,
    sentence: "The site has a fault of its own just now. Retry later.",
    retry: true,
  },
  {
    says: /timed? ?out|temporar|connection|unreachable|reset by peer|remote end closed|incomplete ?read|giving up after|errno 1\d\d|unable to download/i,
    sentence: "The server does not reach the site. Let the server reach it, then retry.",
    withProxy: "The server does not reach the site through FOLLOWSPOT_PROXY. Check the setting, then retry.",
    retry: true,
  },
];

const TOO_OFTEN = /HTTP Error 429|too many requests|rate.?limit/i;
const DISK_FULL = /no space left|disk quota exceeded|errno (28|122)\b/i;
/** Messages of yt-dlp after a change of the site, as opposed to a video that is unavailable. */
const OUTGROWN =
  /unable to extract|failed to extract|nsig|signature|challenge|player response|requested format is not available|HTTP Error 403|only images are available/i;
/** Start of yt-dlp's request to report the error, which it prints if the site's response was unexpected. */
const REPORT = /\s*[;.] (?:please )?report this issue on/i;
/** Python terms, which mean nothing to users who add songs. */
const OF_PYTHON =
  /\w\(\w+=|<[\w.]+ object|errno|traceback|urllib|\b0x[0-9a-f]{4,}|HTTPS?Connection|\w+(Error|Exception)\b/i;

/**
 * Explains why yt-dlp failed, as a sentence with the remedy: our own sentence for a known fault, else the site's
 * message, shortened and without paths of this server.
 *
 * @param output end of what yt-dlp printed
 */
export function explainFault(output: string, access: LinkAccess, secrets: LinkSecrets): StepError {
  const line = output.split("\n").findLast((each) => each.startsWith("ERROR:")) ?? "";
  const [words = "", report] = line.replace(/^ERROR:\s*(\[[^\]]*\]\s*)?([\w-]{11}:\s*)?/, "").split(REPORT);
  if (DISK_FULL.test(words)) return noRoom();
  if (TOO_OFTEN.test(words))
    return new WaitError(`The site asks this server to slow down. Retry in an hour, ${OR_UPLOAD}.`, { kind: "site" });
  const known = FAULTS.find(({ says }) => says.test(words));
  if (known) return new StepError(sentenceOf(known, access), known.retry);
  const said = cleaned(words, secrets);
  const network = OUTGROWN.test(words) ? undefined : NETWORK_FAULTS.find(({ says }) => says.test(words));
  if (network) return new StepError(sentenceOf(network, access), network.retry);
  if (OUTGROWN.test(words) || report !== undefined)
    return new OutgrownError(
      `The site has changed and the downloader does not understand it${said && ` ("${said}")`}. Retry in a few days, when it has learnt to, ${OR_UPLOAD}.`,
    );
  return new StepError(said || `yt-dlp failed without saying why. Retry the download, ${OR_UPLOAD}.`);
}

function sentenceOf({ sentence, withCookies, withProxy }: Fault, { cookies, proxy }: LinkAccess): string {
  return (cookies !== undefined && withCookies) || (proxy !== undefined && withProxy) || sentence;
}

/** Returns the part of a message that users understand; "" for a message for programmers. */
function cleaned(words: string, secrets: LinkSecrets): string {
  const [plain = ""] = words.split(/\s*(?:\(caused by|Use --|See +https?:)/i);
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), plain);
  if (OF_PYTHON.test(safe)) return "";
  return oneLine(safe.replaceAll(/(?:\/[\w.-]+){2,}/g, "…"));
}

/** Returns one line of text without control characters, at most 300 characters long. */
export function oneLine(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 300);
}
