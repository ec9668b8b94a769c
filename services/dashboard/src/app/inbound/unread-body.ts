import type { Request, Response } from 'express';

/** Closes the connection after the response if the request body was not read completely. Otherwise the client would send the rest. */
export function closeWithUnreadBody({ headers, complete }: Request, response: Response): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && !complete) response.set('Connection', 'close');
}
