import type { RequestHandler } from 'express';

/** The largest form of the dashboard has a few hundred characters. */
const bodyMaxBytes = 64 * 1024;

/**
 * Refuses large bodies before anything reads them. Browsers send Content-Length with every form, and Node reads no more
 * than it names.
 *
 * - No Content-Length -> 411.
 * - More than 64 KiB -> 413.
 */
export const limitBody: RequestHandler = (request, response, next) => {
  const isChunked = request.get('transfer-encoding') !== undefined;
  const bytes = Number(request.get('content-length') ?? 0);
  if (!isChunked && bytes <= bodyMaxBytes) return next();
  const [status, text] = isChunked ? [411, 'Content-Length is required.'] : [413, 'The form is too large.'];
  response.set('Connection', 'close').status(status).type('text/plain').send(`${text} Nothing was changed.\n`);
};
