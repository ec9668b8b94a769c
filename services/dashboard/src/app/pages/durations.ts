export const dayMs = 86_400_000;

/** A key that expires within this time is marked. */
export const expiresSoonMs = 14 * dayMs;
