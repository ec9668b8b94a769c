import { ownValue } from '../../app/domain/own-value.ts';
import type { PageContext } from '../../app/pages/server.ts';
import { libraryOf } from '../../documentation/pages.server.ts';

/** A type of event, and one sentence about it. */
export interface EventType {
  type: string;
  text: string;
}

/** All types of events, in the order of the contract. */
export const eventTypesOf = (context: PageContext): EventType[] =>
  Object.entries(libraryOf(context).openapi.webhooks).map(([type, { post }]) => ({ type, text: post.summary }));

/** The data of the example of a type. */
export function exampleDataOf(context: PageContext, type: string): unknown {
  const found = ownValue(libraryOf(context).openapi.webhooks, type);
  const example = found?.post.requestBody.content['application/json']?.example as { data?: unknown } | undefined;
  return example?.data ?? {};
}
