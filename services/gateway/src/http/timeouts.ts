/** The time in which a caller must have sent its headers, and its whole request. */
export const headersTimeoutMs = 10_000;
export const requestTimeoutMs = 15_000;
