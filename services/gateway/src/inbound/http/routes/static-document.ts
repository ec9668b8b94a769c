import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

/** A document that is encoded once, because it does not change while the process runs. */
export function staticDocument(document: unknown): Route {
  const reply = jsonReply(200, document, { 'Cache-Control': 'public, max-age=300' });
  return () => reply;
}
