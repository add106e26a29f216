import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import {
  MessageSchema,
  ThreadMemberSchema,
  ThreadSchema,
  type Message,
  type Thread,
  type ThreadMember,
} from "@followspot/contract/chat";
import { imageUrl } from "../../platform/pictures/images.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import type { MessageRow } from "./messages.store.ts";
import type { MemberRow, ThreadRow } from "./threads.store.ts";

/** Converts a thread. @param last its newest message; included for members only */
export function toThread(row: ThreadRow, last: MessageRow | undefined): Thread {
  return create(ThreadSchema, {
    id: row.id,
    title: row.title,
    memberIds: row.member_ids,
    members: row.members.map((member) => toMember({ ...member, joined_at: new Date(member.joined_at) })),
    unreadCount: row.unread_count,
    lastMessage: row.is_member && last ? toMessage(last) : undefined,
    lastMessageAt: timestampOf(row.last_message_at),
    eventId: row.event_id ?? undefined,
    eventTitle: row.event_title ?? "",
    createdBy: row.created_by ?? "",
    createdAt: timestampOf(row.created_at),
    isMember: row.is_member,
  });
}

export function toMember(row: MemberRow): ThreadMember {
  return create(ThreadMemberSchema, {
    userId: row.user_id,
    name: row.name,
    photoUrl: imageUrl(row.photo_id),
    joinedAt: timestampOf(row.joined_at),
  });
}

export function toMessage(row: MessageRow): Message {
  return create(MessageSchema, {
    id: row.id,
    threadId: row.thread_id,
    number: row.number,
    userId: row.user_id ?? "",
    userName: row.user_name ?? "",
    userPhotoUrl: imageUrl(row.user_photo_id),
    clientId: row.client_id ?? "",
    text: row.text,
    reactions: (row.reactions ?? []).map(({ emoji, user_ids }) => ({ emoji, userIds: [...user_ids] })),
    createdAt: timestampOf(row.created_at),
    editedAt: timestampOf(row.edited_at),
    deletedAt: timestampOf(row.deleted_at),
    deletedByModerator: row.deleted_by_moderator,
  });
}

/** Returns a message as JSON for envelopes. */
export const messageJson = (row: MessageRow): JsonValue => toJson(MessageSchema, toMessage(row));
