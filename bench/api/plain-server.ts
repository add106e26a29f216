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
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.on("SIGTERM", () => process.exit(0));
