import type { Request, Response } from 'express';

/** Closes the connection after an answer if the body was not read. Otherwise the rest of the body would follow. */
export function closeWithUnreadBody({ headers, complete }: Request, response: Response): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && !complete) response.set('Connection', 'close');
}
