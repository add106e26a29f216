import { create } from "@bufbuild/protobuf";
import { UserSchema, type User } from "@followspot/contract/user";
import { imageUrl } from "../../platform/pictures/images.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { ONLINE_SECONDS, type UserRow } from "./users.store.ts";

export function toUser(row: UserRow): User {
  return create(UserSchema, {
    id: row.id,
    name: row.name,
    username: row.username,
    email: row.email,
    phone: row.phone,
    purpose: row.purpose,
    bio: row.bio,
    photoId: row.photo_id ?? "",
    photoUpdatedAt: timestampOf(row.photo_updated_at),
    verifiedAt: timestampOf(row.verified_at),
    phoneVerifiedAt: timestampOf(row.phone_verified_at),
    role: row.roles[0] ?? "Member",
    roles: row.roles,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    deletedAt: timestampOf(row.deleted_at),
    lastSeenAt: timestampOf(row.last_seen_at),
    isOnline: row.last_seen_at !== null && Date.now() - row.last_seen_at.getTime() < ONLINE_SECONDS * 1000,
    photoUrl: imageUrl(row.photo_id),
    unconfirmedAddress: row.unconfirmed_address,
  });
}
