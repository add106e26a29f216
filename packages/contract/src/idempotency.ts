/**
 * Header of a changing call: 1 to 255 visible ASCII characters, chosen by the caller. A call of the same caller and method
 * with the same key within 24 hours receives the response of the first.
 */
export const IDEMPOTENCY_KEY_HEADER = "Idempotency-Key";
/** Header of a response that was stored by an earlier call with the same key. */
export const REPLAYED_HEADER = "idempotent-replayed";
