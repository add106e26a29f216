import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import type { User } from "@followspot/contract/user";
import { audit } from "../platform/audit.ts";
import { requireCaller } from "../platform/caller.ts";
import type { Db, Sql } from "../platform/database.ts";
import { alreadyExists, exhausted, invalid, unauthenticated } from "../platform/errors.ts";
import { postEvent } from "../platform/outbox.ts";
import { addressKey } from "../platform/rpc.ts";
import { toUser } from "../user/user-message.ts";
import { loginTarget, requireEmail } from "../user/user-rules.ts";
import { findUser, findUserByTarget, insertUser, isEmailTaken, markVerified } from "../user/users.store.ts";
import { SESSION_COOKIE } from "./authenticate.ts";
import { consumeLoginCode, countTry, createLoginCode, forgetOldTries, forgiveTry } from "./login-codes.store.ts";
import { consumeOwnerLink } from "./owner-link.ts";
import { createSession, endSession } from "./sessions.store.ts";
import { signToken, TOKEN_DAYS } from "./tokens.ts";

/** Within 15 minutes. */
const MAX_SENDS_PER_TARGET = 5;
const MAX_SENDS_PER_ADDRESS = 50;
const MAX_WRONG_CODES = 10;

export interface AuthPorts {
  readonly sql: Sql;
  /** Signs tokens and codes; at least 32 bytes. */
  readonly secret: Uint8Array;
  /** Hands a code to its person; without one, codes are printed on the server's terminal. */
  readonly deliverCode?: (target: string, code: string) => Promise<void>;
}

export function authRoutes(ports: AuthPorts): (router: ConnectRouter) => void {
  const { sql, secret, deliverCode = printCode } = ports;
  const deliver = (target: string, code: string) =>
    deliverCode(target, code).catch((error: unknown) => {
      process.stderr.write(`A sign-in code could not be delivered: ${(error as Error).message}\n`);
    });
  return (router) =>
    router.service(AuthService, {
      sendLoginCode: async (request, context) => {
        const target = requireTarget(request.target);
        await forgetOldTries(sql);
        const sends = await countTry(sql, `send target ${target}`);
        const sendsFromHere = await countTry(sql, `send address ${addressOf(context)}`);
        if (sends > MAX_SENDS_PER_TARGET || sendsFromHere > MAX_SENDS_PER_ADDRESS) {
          throw exhausted("Too many codes were asked for. Try again in 15 minutes.");
        }
        const code = await createLoginCode(sql, secret, target);
        // Not awaited: how long a delivery takes would tell that the account exists.
        if (await findUserByTarget(sql, target)) void deliver(target, code);
        return { success: true, message: "If this address belongs to somebody here, a code is on its way." };
      },

      verifyLoginCode: async (request, context) => {
        const target = requireTarget(request.target);
        const keys = [`code target ${target}`, `code address ${addressOf(context)}`];
        // Counted before the code is looked at, so that parallel guesses are counted too.
        for (const key of keys) {
          if ((await countTry(sql, key)) > MAX_WRONG_CODES) {
            throw exhausted("Too many wrong codes. Try again in 15 minutes.");
          }
        }
        const signedIn = await sql.begin(async (tx) => {
          if (!(await consumeLoginCode(tx, secret, target, request.code))) return undefined;
          const found = await findUserByTarget(tx, target);
          if (!found) return undefined;
          const user = await markVerified(tx, found.id, target);
          await postEvent(tx, `user.${user.id}`, "user.verified", { user_id: user.id });
          return { user: toUser(user), token: await signIn(tx, secret, user.id, user.name, "sign-in code") };
        });
        if (!signedIn) throw unauthenticated("This code is wrong or has run out");
        for (const key of keys) await forgiveTry(sql, key);
        setCookie(context, signedIn.token);
        return signedIn;
      },

      claimOwner: async (request, context) => {
        const email = requireEmail(request.email);
        const signedIn = await sql.begin(async (tx): Promise<{ user: User; token: string }> => {
          if (!(await consumeOwnerLink(tx, request.token))) {
            throw unauthenticated("This link was used or has been replaced. Restart the server for a new one.");
          }
          if (email && (await isEmailTaken(tx, email, "")))
            throw alreadyExists("Another person has this email address");
          const user = await insertUser(tx, {
            name: request.name.trim() || "Owner",
            email,
            roles: ["Admin"],
          });
          await postEvent(tx, `user.${user.id}`, "user.created", { user_id: user.id });
          return { user: toUser(user), token: await signIn(tx, secret, user.id, user.name, "owner link") };
        });
        setCookie(context, signedIn.token);
        return signedIn;
      },

      getSession: async (_request, context) => {
        const user = await findUser(sql, requireCaller(context).userId);
        if (!user) throw unauthenticated();
        return { user: toUser(user) };
      },

      signOut: async (_request, context) => {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          await endSession(tx, caller.userId, caller.sessionId);
          await audit(tx, caller, "session.ended", `session ${caller.sessionId}`);
        });
        context.responseHeader.append("set-cookie", cookie(context, "", 0));
        return { success: true };
      },
    });
}

async function printCode(target: string, code: string): Promise<void> {
  process.stdout.write(`Sign-in code for ${target}: ${code}\n`);
}

async function signIn(db: Db, secret: Uint8Array, userId: string, name: string, note: string): Promise<string> {
  const sessionId = await createSession(db, userId, note);
  await audit(db, { userId, name, roles: [], sessionId }, "session.started", `session ${sessionId}`, {
    after: { note },
  });
  return signToken(secret, { userId, sessionId });
}

function requireTarget(text: string): string {
  const target = loginTarget(text);
  if (target === "") throw invalid("Enter an email address or a phone number");
  return target;
}

function addressOf(context: HandlerContext): string {
  return context.values.get(addressKey);
}

function setCookie(context: HandlerContext, token: string): void {
  context.responseHeader.append("set-cookie", cookie(context, token, TOKEN_DAYS * 86_400));
}

function cookie(context: HandlerContext, value: string, maxAgeSeconds: number): string {
  const isHttps = context.requestHeader.get("origin")?.startsWith("https:") ?? false;
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isHttps ? "; Secure" : ""}`;
}
