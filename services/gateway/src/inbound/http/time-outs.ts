/** How long a caller may take to send its request. */
export const headersTimeoutMs = 10_000;
export const requestTimeoutMs = 15_000;
