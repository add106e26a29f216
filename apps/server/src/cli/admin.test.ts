import { afterAll, expect, test } from "vitest";
import { runAdmin } from "../testing/admin.ts";
import { createInstallation } from "../testing/installation.ts";
import { openUntil } from "../testing/open-until.ts";

const place = openUntil(afterAll, await createInstallation());

const people = () => place.sql<{ name: string }[]>`select name from users where not is_script`;

test.each([
  ["--email", "not an address", "Invalid email address"],
  ["--phone", "call me", "Invalid phone number"],
])("rejects a user whose %s is %j", async (flag, value, sentence) => {
  const { code, said } = await runAdmin(place, "user", "add", "Mia", flag, value);
  expect([code, said.trim()]).toEqual([2, sentence]);
  expect(await people()).toEqual([]);
});

test("adding a user is audited, and their address is taken afterwards", async () => {
  const { code, out } = await runAdmin(
    place,
    "user",
    "add",
    "Mia",
    "--email",
    " mia@example.org ",
    "--role",
    "Director",
  );
  const { id } = JSON.parse(out);
  expect(code).toBe(0);
  expect(await place.sql`select name, email, roles from users where id = ${id}`).toMatchObject([
    { name: "Mia", email: "mia@example.org", roles: ["Director"] },
  ]);
  expect(await place.sql`select action, target, after ->> 'name' as name from audit_log`).toMatchObject([
    { action: "user.created", target: `user ${id}`, name: "Mia" },
  ]);
  const again = await runAdmin(place, "user", "add", "Other", "--email", "MIA@example.org");
  expect([again.code, again.said.trim()]).toEqual([2, "Another person has this email address"]);
});
