import { z } from 'zod';

/**
 * A time that a caller sends, with Z or +00:00. Handlers get it with Z.
 *
 * An unencoded + in a query string is read as a blank. A blank is therefore accepted in its place. Other offsets are refused.
 */
export const sentTime = (description: string) =>
  z
    .string()
    .refine((text) => pattern.test(withPlus(text)), notUtc)
    .meta({ format: 'date-time', pattern: pattern.source, description })
    .transform((text) => withPlus(text).replace('+00:00', 'Z'));

const withPlus = (text: string) => text.replace(/ 00:00$/, '+00:00');
/** The pattern of zod validates the calendar. It does not accept the offset, but accepts the year 0. */
const pattern = new RegExp(`^(?!0000)${z.regexes.datetime({}).source.slice(1).replace('(?:Z))$', '(?:Z|\\+00:00))$')}`);
const notUtc = 'must be an ISO 8601 time in UTC such as 2026-01-15T12:00:00.000Z or 2026-01-15T12:00:00+00:00';
