import { useQuery as useCall } from "@connectrpc/connect-query";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { QueuesService } from "@followspot/contract/queues";
import { keepPreviousData } from "@tanstack/react-query";

const { listMessages, getMessage } = QueuesService.method;
const PAGE = 50;

/** Position of the page in its stream. */
export type PageFrom =
  | { readonly case: "before" | "after"; readonly value: bigint }
  | { readonly case: "until"; readonly value: Timestamp };

/** Refetch interval while the newest messages are followed, ms. */
const FOLLOW_MS = 1000;

export const useMessages = (stream: string, subject: string, from: PageFrom | undefined, isFollowed = false) =>
  useCall(
    listMessages,
    { stream, subject, from: from ?? { case: undefined }, pageSize: PAGE },
    { staleTime: 0, placeholderData: keepPreviousData, refetchInterval: isFollowed && FOLLOW_MS },
  );

export const useMessage = (stream: string, sequence: bigint) => useCall(getMessage, { stream, sequence });
