/**
 * The least a server can do for the same answers: fastify and pg on the same table, no sign-in, no checks, no audit.
 * What the product costs is told as multiples of this.
 */
import { randomUUID } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = Fastify();

interface Fields {
  readonly id: string;
  readonly name: string;
  readonly bio: string;
  readonly query: string;
  readonly from: string;
  readonly to: string;
  readonly key: string;
  readonly talk: string;
  readonly isGiven: boolean;
}

const first = async (statement: { name: string; text: string; values: unknown[] }) =>
  (await pool.query(statement)).rows[0];

app.post<{ Body: Fields }>("/get", ({ body }) =>
  first({ name: "get", text: "select * from users where id = $1", values: [body.id] }),
);
app.post("/list", async () => {
  const { rows } = await pool.query({ name: "list", text: "select * from users order by id desc limit 100" });
  return { users: rows };
});
app.post("/songs", async () => {
  const { rows } = await pool.query({ name: "songs", text: "select * from songs order by id desc limit 50" });
  return { songs: rows };
});
app.post<{ Body: Fields }>("/search", async ({ body }) => {
  const text = `select * from users where name ilike $1 or username ilike $1 or email ilike $1 or phone ilike $1
    order by id desc limit 50`;
  const { rows } = await pool.query(text, [`%${body.query}%`]);
  return { users: rows };
});
app.post<{ Body: Fields }>("/create", ({ body }) =>
  first({
    name: "create",
    text: "insert into users (id, name, phone) values ($1, $2, '') returning *",
    values: [randomUUID(), body.name],
  }),
);
app.post<{ Body: Fields }>("/update", ({ body }) =>
  first({
    name: "update",
    text: "update users set bio = $2, updated_at = now() where id = $1 returning *",
    values: [body.id, body.bio],
  }),
);
app.post<{ Body: Fields }>("/gold", async ({ body: { from, to, key } }) => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const text = "update plain_gold set balance = balance - 1 where user_id = $1 and balance >= 1 returning balance";
    const { rowCount } = await client.query({ name: "take", text, values: [from] });
    if (rowCount === 0) throw new Error("not enough gold");
    const give = "update plain_gold set balance = balance + 1 where user_id = $1";
    await client.query({ name: "give", text: give, values: [to] });
    const write = "insert into plain_moves (id, key, from_id, to_id, amount) values ($1, $2, $3, $4, 1) returning *";
    const { rows } = await client.query({ name: "write", text: write, values: [randomUUID(), key, from, to] });
    await client.query("commit");
    return rows[0];
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
});
app.post<{ Body: Fields }>("/vote", async ({ body: { talk, isGiven } }) => {
  const give = "insert into plain_votes (talk_id, user_id) values ($1, 'bench') on conflict do nothing";
  const take = "delete from plain_votes where talk_id = $1 and user_id = 'bench'";
  await pool.query({ name: isGiven ? "vote" : "unvote", text: isGiven ? give : take, values: [talk] });
  return first({
    name: "points",
    text: "select count(*) as points from plain_votes where talk_id = $1",
    values: [talk],
  });
});
app.post("/messages", async () => {
  const text = `select m.*, u.name from chat_messages m left join users u on u.id = m.user_id
    where m.thread_id = 'BENCHTHREAD' order by m.number desc limit 50`;
  const { rows } = await pool.query({ name: "messages", text });
  return { messages: rows };
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.on("SIGTERM", () => process.exit(0));
