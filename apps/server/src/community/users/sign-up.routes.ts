import type { ServiceImpl } from "@connectrpc/connect";
import type { UserService } from "@followspot/contract/user";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Db, Sql } from "../../platform/database/database.ts";
import { conflict } from "../../platform/errors.ts";
import { linkKey, newLinkSeed } from "../../platform/http/link-key.ts";
import { INVITATION, linkWarning } from "./sign-up.ts";
import { lockSignUp, readSignUp, storeSignUp, type SignUpRow } from "./sign-up.store.ts";

const ENTRY = { noun: "sign_up", id: "all" } as const;

export interface SignUpMethodPorts {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  /** Whether mail or SMS is set up. */
  readonly canSend: () => boolean;
}

/** Returns the RPC methods for the sign-up mode and the invitation link. */
export function signUpMethods({ sql, secret, canSend }: SignUpMethodPorts) {
  const describe = async (db: Db, { mode, seed, code_by }: SignUpRow) => ({
    signUp: {
      mode,
      codeBy: code_by,
      warning: mode === "closed" ? "" : await linkWarning(db, canSend()),
      // In the URL fragment: browsers never send it, so it appears in no proxy log.
      invitationPath: mode === "invitation" && seed ? `/me#invitation=${linkKey(secret, INVITATION, "", seed)}` : "",
    },
  });
  return {
    getSignUp: async () => describe(sql, await readSignUp(sql)),

    setSignUp: (request, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const before = await lockSignUp(tx);
        const mode = request.mode as SignUpRow["mode"]; // checked by the contract
        const code_by = (request.codeBy ?? before.code_by) as SignUpRow["code_by"]; // checked by the contract
        if (mode === before.mode && code_by === before.code_by) return done(await describe(tx, before));
        const after = { mode, code_by, seed: before.seed ?? (mode === "invitation" ? newLinkSeed() : null) };
        await storeSignUp(tx, after);
        const [was, is] = [before, after].map(({ mode, code_by }) => ({ mode, code_by }));
        return done(await describe(tx, after), { ...ENTRY, verb: "changed", before: was, after: is });
      }),

    renewInvitation: (_request, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const { mode, code_by } = await lockSignUp(tx);
        if (mode !== "invitation")
          throw conflict("Sign-up is not by invitation. Change that first, then make a new link.");
        const after = { mode, code_by, seed: newLinkSeed() };
        await storeSignUp(tx, after);
        return done(await describe(tx, after), { ...ENTRY, verb: "link_renewed" });
      }),
  } satisfies Partial<ServiceImpl<typeof UserService>>;
}
