import type { RequestHandler } from 'express';

/** The largest form of most pages has a few hundred characters. */
const maxBodyBytes = 64 * 1024;
/** A form with a list of domains of 1 MiB. */
const maxListFormBytes = 1_100_000;
const listForm = /^\/workspaces\/[^/]+\/lists\/(?:new|[^/]+\/import)(?:\.data)?$/;

/**
 * Refuses large bodies before anything reads them. Browsers send Content-Length with every form, and Node reads no more bytes than it
 * names.
 *
 * - No Content-Length -> 411.
 * - More than 64 KiB -> 413. The form of a list of domains may have 1.1 MB.
 */
export const limitBody: RequestHandler = (request, response, next) => {
  const isChunked = request.get('transfer-encoding') !== undefined;
  const bytes = Number(request.get('content-length') ?? 0);
  const maxBytes = listForm.test(request.path) ? maxListFormBytes : maxBodyBytes;
  if (!isChunked && bytes <= maxBytes) return next();
  const [status, text] = isChunked ? [411, 'Content-Length is required.'] : [413, 'The form is too large.'];
  response.set('Connection', 'close').status(status).type('text/plain').send(`${text} Nothing was changed.\n`);
};
