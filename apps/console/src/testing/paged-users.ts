import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { UserSchema, UserService, type User } from "@followspot/contract/user";

const STARTED = Date.UTC(2026, 0, 1);

/** A server of many users with the behavior of ours: pages by key, searches, filters, orders, counts. */
export class PagedUsers {
  readonly users: User[];
  /** Received requests in order. */
  readonly asked: { query: string; filter: string; orderBy: string; pageToken: string; role: string }[] = [];
  /** Which page requests fail: "next" those for pages after the first, "first" all of them. */
  fails: "no" | "first" | "next" = "no";
  denies = false;
  countFails = false;
  /** Answers wait for this promise. */
  gate: Promise<void> = Promise.resolve();

  constructor(count: number) {
    this.users = Array.from({ length: count }, (_, index) =>
      create(UserSchema, {
        id: `u${String(index).padStart(6, "0")}`,
        name: `Person ${String(index).padStart(6, "0")}`,
        createdAt: timestampFromMs(STARTED + index * 60_000),
        updatedAt: timestampFromMs(STARTED),
        ...(index % 10 === 0 && { deletedAt: timestampFromMs(STARTED) }),
      }),
    );
  }

  readonly routes = (router: ConnectRouter): void => {
    router.service(UserService, {
      listUsers: async ({ list, role }) => {
        const { query = "", filter = "", orderBy = "", pageToken = "", pageSize = 50 } = list ?? {};
        this.asked.push({ query, filter, orderBy, pageToken, role });
        await this.gate;
        if (this.denies) throw new ConnectError("You may not do this", Code.PermissionDenied);
        if (this.fails === "first" || (this.fails === "next" && pageToken !== ""))
          throw new ConnectError("The database is not reachable", Code.Unavailable);
        const rows = this.#matching(query, filter, role).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        if (orderBy !== "name") rows.reverse();
        const from = pageToken === "" ? 0 : rows.findIndex(({ id }) => id === pageToken) + 1;
        const users = rows.slice(from, from + pageSize);
        return { users, nextPageToken: from + pageSize < rows.length ? (users.at(-1)?.id ?? "") : "" };
      },
      countUsers: ({ query, role }) => {
        if (this.countFails) throw new ConnectError("too much", Code.Unavailable);
        const count = (filter: string) => ({ filter, count: this.#matching(query, filter, role).length });
        return { counts: ["", "active", "verified", "pending", "deleted"].map(count) };
      },
      getUser: ({ userId }) => {
        const user = this.users.find(({ id }) => id === userId);
        if (!user) throw new ConnectError("There is no such user", Code.NotFound);
        return { user };
      },
      updateUser: (request) => {
        const at = this.users.findIndex(({ id }) => id === request.userId);
        const user = this.users[at]!;
        if (request.ifUpdatedAt && request.ifUpdatedAt.seconds !== user.updatedAt?.seconds)
          throw new ConnectError(
            `Mira Falk ${user.deletedAt ? "deleted" : "changed"} this person meanwhile`,
            Code.Aborted,
          );
        const { name = user.name, bio = user.bio, purpose = user.purpose } = request;
        const roles = request.setRoles ? request.roles : user.roles;
        this.users[at] = { ...user, name, bio, purpose, roles, updatedAt: timestampFromMs(Date.now()) };
        return { user: this.users[at]! };
      },
      restoreUser: ({ userId }) => {
        const at = this.users.findIndex(({ id }) => id === userId);
        this.users[at] = { ...this.users[at]!, deletedAt: undefined, updatedAt: timestampFromMs(Date.now()) };
        return { user: this.users[at]! };
      },
      deleteUser: async ({ userId }) => {
        await this.gate;
        const at = this.users.findIndex(({ id }) => id === userId);
        this.users[at] = { ...this.users[at]!, deletedAt: timestampFromMs(Date.now()) };
        return { success: true };
      },
    });
  };

  #matching(query: string, filter: string, role: string): User[] {
    return this.users.filter(
      ({ name, deletedAt, roles }) =>
        (role === "" || (role === "Member" ? roles.length === 0 : roles.includes(role))) &&
        name.toLowerCase().includes(query.toLowerCase()) &&
        (filter === "" || (filter === "deleted" ? deletedAt !== undefined : deletedAt === undefined)),
    );
  }
}
