import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { AccountingService } from "@followspot/contract/accounting";
import { ListQuerySchema } from "@followspot/contract/list";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { denied, notFound } from "../../platform/errors.ts";
import { readPage } from "../../platform/database/lists.ts";
import { findUser } from "../users/users.store.ts";
import { balanceOf, sumGold, transactionsOf, type TransactionRow } from "./gold.store.ts";
import { processTransaction, toTransaction } from "./process-transaction.ts";
import { sendGold } from "./send-gold.ts";

const PAGE_ROWS = 50;

export interface AccountingPorts {
  readonly sql: Sql;
}

export function accountingRoutes({ sql }: AccountingPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(AccountingService, {
      getBalance: async (request, context) => {
        const userId = await requireAccount(sql, requireCaller(context), request.userId);
        return { balance: await balanceOf(sql, userId) };
      },

      listTransactions: async (request, context) => {
        const userId = await requireAccount(sql, requireCaller(context), request.userId);
        const { list, pageSize, pageToken } = request;
        const query = list ?? create(ListQuerySchema, { pageSize: pageSize || PAGE_ROWS, pageToken });
        const page = await readPage<TransactionRow>(sql, transactionsOf(userId), query);
        return { transactions: page.rows.map(toTransaction), nextPageToken: page.nextPageToken };
      },

      getStats: async () => {
        const sums = await sumGold(sql);
        return {
          totalGold: sums.total,
          ownerlessGold: sums.ownerless,
          transactionCount: BigInt(sums.transactions),
          accountCount: BigInt(sums.accounts),
          granted: sums.granted,
          transferred: sums.transferred,
          spent: sums.spent,
          refunded: sums.refunded,
        };
      },

      processTransaction: async (request, context) => ({
        transaction: await processTransaction(sql, requireCaller(context), request),
      }),

      sendGold: (request, context) => sendGold(sql, requireCaller(context), request),
    });
}

/** Returns the user whose account is requested: the caller, or for an Admin any user, deleted or not. */
async function requireAccount(sql: Sql, caller: Caller, userId: string): Promise<string> {
  if (userId === "" || userId === caller.userId) return caller.userId;
  // Checked before any read, so that members cannot probe which users exist.
  if (!caller.roles.includes("Admin")) throw denied("You may only look at your own gold");
  if (!(await findUser(sql, userId))) throw notFound("User", userId);
  return userId;
}
