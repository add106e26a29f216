// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { UserSchema, UserService, type UpdateUserRequest } from "@followspot/contract/user";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, field, press, show, type } from "../testing/show.tsx";
import { UserDialog } from "./user-dialog.tsx";

let updated: UpdateUserRequest[];
beforeEach(() => {
  updated = [];
});

/** Fake server whose response to a creation lacks the user ID. */
function routes(router: ConnectRouter): void {
  router.service(UserService, {
    createUser: () => ({}),
    updateUser: (request) => {
      updated.push(request);
      return {};
    },
  });
}

async function open(user?: ReturnType<typeof person>) {
  const onClose = vi.fn();
  await show(<UserDialog user={user} onClose={onClose} />, { routes });
  return onClose;
}
const person = () => create(UserSchema, { name: "Mira" });

test("shows an error and stays open if the response lacks the user ID", async () => {
  const onClose = await open();
  await type(field("Name"), "Mira");
  await press("Create User");
  const reason = "Error: Failed to create user - no user ID returned";
  await eventually(() => expect(document.body.textContent).toContain(reason));
  expect(onClose).not.toHaveBeenCalled();
});

test("shows an error and does not save a user without an ID", async () => {
  await open(person());
  await press("Update User");
  await eventually(() => expect(document.body.textContent).toContain("Error: User ID is required for update"));
  expect(updated).toEqual([]);
});

test("offers the three roles, and accepts any image type as a photo", async () => {
  await open();
  const boxes = [...document.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  expect(boxes.map(({ labels }) => labels?.[0]?.textContent)).toEqual(["Admin", "Director", "AI"]);
  expect(document.querySelector<HTMLInputElement>("input[type=file]")?.accept).toBe("image/*");
});
