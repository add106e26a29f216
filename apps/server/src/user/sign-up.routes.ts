import type { ServiceImpl } from "@connectrpc/connect";
import type { UserService } from "@followspot/contract/user";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import type { Sql } from "../platform/database.ts";
import { conflict } from "../platform/errors.ts";
import { linkKey, newLinkSeed } from "../platform/link-key.ts";
import { INVITATION } from "./sign-up.ts";
import { lockSignUp, readSignUp, storeSignUp, type SignUpRow } from "./sign-up.store.ts";

const ENTRY = { noun: "sign_up", id: "all" } as const;

/** Returns the RPC methods for the sign-up mode and the invitation link. */
export function signUpMethods({ sql, secret }: { readonly sql: Sql; readonly secret: Uint8Array }) {
  const describe = ({ mode, seed }: SignUpRow) => ({
    signUp: {
      mode,
      // In the URL fragment: browsers never send it, so it appears in no proxy log.
      invitationPath: mode === "invitation" && seed ? `/me#invitation=${linkKey(secret, INVITATION, "", seed)}` : "",
    },
  });
  return {
    getSignUp: async () => describe(await readSignUp(sql)),

    setSignUp: (request, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const before = await lockSignUp(tx);
        const mode = request.mode as SignUpRow["mode"]; // checked by the contract
        if (mode === before.mode) return done(describe(before));
        const after = { mode, seed: before.seed ?? (mode === "invitation" ? newLinkSeed() : null) };
        await storeSignUp(tx, after);
        return done(describe(after), { ...ENTRY, verb: "changed", before: { mode: before.mode }, after: { mode } });
      }),

    renewInvitation: (_request, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const { mode } = await lockSignUp(tx);
        if (mode !== "invitation")
          throw conflict("Sign-up is not by invitation. Change that first, then make a new link.");
        const after = { mode, seed: newLinkSeed() };
        await storeSignUp(tx, after);
        return done(describe(after), { ...ENTRY, verb: "link_renewed" });
      }),
  } satisfies Partial<ServiceImpl<typeof UserService>>;
}
