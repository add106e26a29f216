import { toJson } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import { UserSchema, type User } from "@followspot/contract/user";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, writeDown, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, invalid, unauthenticated } from "../../platform/errors.ts";
import { networkOf } from "../../platform/http/network-of.ts";
import { addressKey } from "../../platform/http/rpc.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { transact } from "../../platform/database/transaction.ts";
import { refuseTakenEmail } from "../users/add-user.ts";
import type { HomeCountry } from "../users/phone-numbers.ts";
import { isInvited, signUp, signUpByLink, whyNoSignUp, type SignUpPorts } from "../users/sign-up.ts";
import { readSignUp } from "../users/sign-up.store.ts";
import { toUser } from "../users/user-message.ts";
import { loginTarget, requireEmail } from "../users/user-rules.ts";
import {
  findUser,
  findUserByTarget,
  insertUser,
  isEmailTaken,
  markVerified,
  type UserRow,
} from "../users/users.store.ts";
import { clientName } from "./client-name.ts";
import { askForCode, tryCode } from "./code-sign-in.ts";
import type { CodeDelivery } from "./delivery/code-delivery.ts";
import { showToStaff, staffCodes, type CodeToSend } from "./login-codes.store.ts";
import { consumeOwnerLink } from "./owner-link.ts";
import { sessionCookies } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";
import { sessionMethods } from "./session.routes.ts";
import { createSession, endSession } from "./sessions.store.ts";
import { countAsked, requireMayAsk, requireMaySignUp, type Try } from "./sign-in-limits.ts";
import { consumeSignInLink } from "./sign-in-links.ts";
import { signToken, TOKEN_DAYS } from "./tokens.ts";

export interface AuthPorts {
  readonly sql: Sql;
  readonly sessions: Sessions;
  /** ID of the last published envelope; empty if unknown. */
  readonly newsSince: () => string;
  /** Invitation links of events. */
  readonly guests: {
    readonly mayJoin: SignUpPorts["mayJoin"];
    /** Registers a user for an event in the transaction of their sign-in. @returns entries to publish */
    readonly register: (tx: Tx, eventId: string, invitation: string, userId: string) => Promise<readonly Entry[]>;
  };
  /** Signs tokens and codes; at least 32 bytes. */
  readonly secret: Uint8Array;
  readonly delivery: Pick<CodeDelivery, "deliver" | "whereTo">;
  readonly warn: (message: string) => void;
  /** Country of phone numbers without a country code. */
  readonly country?: HomeCountry;
  /** Path below which a proxy serves Followspot: the session cookie is for it alone; none if absent. */
  readonly basePath?: string;
}

export function authRoutes(ports: AuthPorts): (router: ConnectRouter) => void {
  const { sql, sessions, secret, delivery, guests, warn, country, basePath = "" } = ports;
  const signUpPorts = { secret, mayJoin: guests.mayJoin };
  const deliver = (target: string, { code, secondsLeft }: CodeToSend) =>
    delivery.deliver(target, code, secondsLeft).catch((error: unknown) => {
      warn(`A sign-in code could not be delivered: ${(error as Error).message}`);
    });
  const noCodeForStaff = (error: unknown) =>
    warn(`A sign-in code could not be shown to staff: ${(error as Error).message}`);
  /** Creates a session for a user who was just verified or created, and audits both. */
  const signIn = async (tx: Tx, context: HandlerContext, person: UserRow, verb: string, note: string) => {
    const user = toUser(person);
    const client = clientName(context.requestHeader.get("user-agent") ?? "");
    const sessionId = await createSession(tx, user.id, note, client);
    const entries: Entry[] = [
      {
        noun: "user",
        id: user.id,
        verb,
        ...(verb === "created" && { after: person }),
        payload: { user: toJson(UserSchema, user) },
      },
      { noun: "session", id: sessionId, verb: "started", after: { note, client }, topics: [] },
    ];
    await writeDown(tx, { userId: user.id, name: user.name, roles: [], sessionId }, entries);
    return { user, token: await signToken(secret, { userId: user.id, sessionId }) };
  };
  const registerFor = async (
    tx: Tx,
    { eventId, invitation }: { readonly eventId: string; readonly invitation: string },
    { id, name }: User,
  ) => {
    const entries = await guests.register(tx, eventId, invitation, id);
    await writeDown(tx, { userId: id, name, roles: [], sessionId: "" }, entries);
  };
  return (router) =>
    router.service(AuthService, {
      ...sessionMethods({ sql, sessions }),

      sendLoginCode: async (request, context) => {
        const each = tryOf(request.target, context, country);
        const isNamed = request.name.trim() !== "";
        const mayBeNew = isNamed && (await whyNoSignUp(sql, signUpPorts, request)) === undefined;
        // The same text whether or not the account exists.
        const to = mayBeNew ? "If you can be reached at this address" : "If this address belongs to a person here";
        const code = await askForCode(sql, secret, each, isNamed);
        if (code === undefined) return { success: true, message: `${to}, ${SENT_OFTEN}` };
        const known = await findUserByTarget(sql, each.target, country);
        const byStaff = (await readSignUp(sql)).code_by === "staff";
        // Not awaited: the duration of a delivery would reveal that the account exists.
        if (known || mayBeNew) void deliver(each.target, code);
        if (byStaff && (known ? known.roles.length === 0 : mayBeNew))
          void showToStaff(sql, each.target, known?.name ?? request.name.trim()).catch(noCodeForStaff);
        const where = delivery.whereTo(each.target);
        return { success: true, message: `${to}, ${byStaff ? STAFF_READ : where}.` };
      },

      verifyLoginCode: async (request, context) => {
        const each = tryOf(request.target, context, country);
        const signedIn = await tryCode(sql, secret, each, request.code, async (tx) => {
          const found = await findUserByTarget(tx, each.target, country);
          if (!found && request.name.trim() === "") return undefined;
          const person = found
            ? await markVerified(tx, found.id, each.target)
            : await signUp(tx, signUpPorts, each.target, request, country);
          const answer = await (found
            ? signIn(tx, context, person, "verified", "sign-in code")
            : signIn(tx, context, person, "created", "sign-up"));
          if (request.eventId !== "") await registerFor(tx, request, answer.user);
          return answer;
        }).catch(refuseTakenEmail);
        if (!signedIn) throw unauthenticated("This code is wrong or has run out");
        setCookie(context, signedIn.token, basePath);
        return signedIn;
      },

      getSignUpMode: async (request) => {
        const says = await whyNoSignUp(sql, signUpPorts, request);
        const byLink = (await readSignUp(sql)).code_by === "link" && (await isInvited(sql, signUpPorts, request));
        return { isOpen: says === undefined, says: says ?? "", byLink };
      },

      joinByLink: async (request, context) => {
        const each = tryOf(request.target, context, country);
        await requireMaySignUp(sql, each);
        const signedIn = await transact(sql, async (tx) => {
          await requireMayAsk(tx, each);
          const person = await signUpByLink(tx, signUpPorts, each.target, request);
          await countAsked(tx, each, { repeated: false, named: true });
          const answer = await signIn(tx, context, person, "created", "invitation link");
          if (request.eventId !== "") await registerFor(tx, request, answer.user);
          return answer;
        });
        setCookie(context, signedIn.token, basePath);
        return signedIn;
      },

      listStaffCodes: async () => {
        if ((await readSignUp(sql)).code_by !== "staff") return { codes: [] };
        const shown = [];
        for (const { target, staff_name, code, expires_at } of await staffCodes(sql, secret)) {
          // A role may have been given after the code was requested.
          const owner = await findUserByTarget(sql, target, country);
          if (!owner || owner.roles.length === 0)
            shown.push({ name: staff_name, target, code, expiresAt: timestampOf(expires_at) });
        }
        return { codes: shown };
      },

      claimOwner: async (request, context) => {
        const email = requireEmail(request.email);
        const signedIn = await transact(sql, async (tx) => {
          if (!(await consumeOwnerLink(tx, request.token))) {
            throw unauthenticated("This link was used or has been replaced. Restart the server for a new one.");
          }
          if (email && (await isEmailTaken(tx, email, "")))
            throw alreadyExists("Another person has this email address");
          const name = request.name.trim() || "Owner";
          const owner = await insertUser(tx, { name, email, roles: ["Admin"] });
          return signIn(tx, context, owner, "created", "owner link");
        });
        setCookie(context, signedIn.token, basePath);
        return signedIn;
      },

      useSignInLink: async ({ token }, context) => {
        const signedIn = await transact(sql, async (tx) => {
          const userId = await consumeSignInLink(tx, token);
          const found = userId === undefined ? undefined : await findUser(tx, userId);
          if (!found || found.deleted_at) return undefined;
          return signIn(tx, context, found, "verified", "sign-in link");
        });
        if (!signedIn) throw unauthenticated("This link was used or has run out. Have another one made on the server.");
        setCookie(context, signedIn.token, basePath);
        return signedIn;
      },

      getSession: async (_request, context) => {
        const newsSince = ports.newsSince();
        const user = await findUser(sql, requireCaller(context).userId);
        if (!user) throw unauthenticated();
        return { user: toUser(user), newsSince };
      },

      signOut: async (_request, context) => {
        const caller = requireCaller(context);
        await change(sql, caller, async (tx) => {
          await endSession(tx, caller.userId, caller.sessionId);
          return done({}, { noun: "session", id: caller.sessionId, verb: "ended", topics: [] });
        });
        sessions.forget(caller);
        setCookie(context, "", basePath, 0);
        return { success: true };
      },
    });
}

const STAFF_READ = "the staff of the event can read your code to you";
const SENT_OFTEN = "its code was sent there several times in the last minutes: it still works.";

function tryOf(text: string, context: HandlerContext, country: HomeCountry): Try {
  const target = loginTarget(text, country);
  if (target === "") throw invalid("Enter an email address or a phone number");
  return { target, network: networkOf(context.values.get(addressKey)) };
}

function setCookie(context: HandlerContext, token: string, basePath: string, maxAge = TOKEN_DAYS * 86_400): void {
  const origin = context.requestHeader.get("origin");
  for (const cookie of sessionCookies(token, { origin, basePath, maxAge }))
    context.responseHeader.append("set-cookie", cookie);
}
