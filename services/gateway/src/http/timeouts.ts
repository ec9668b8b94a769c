/** The time limits for a caller to send its headers and its whole request. */
export const headersTimeoutMs = 10_000;
export const requestTimeoutMs = 15_000;
