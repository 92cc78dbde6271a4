/** The largest body of an onward request; only files come near it. */
export const MAX_BODY_BYTES = 12 * 1_048_576
