import type { Request, Response } from 'express';

/** For an answer before the body was read: the rest of it would follow, so the connection closes. */
export function closeWithUnreadBody({ headers, complete }: Request, response: Response): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && !complete) response.set('Connection', 'close');
}
