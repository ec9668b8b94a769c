import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { publicTexts, urlProblemTexts } from '@shopscope/outbound-http';
import type { Dependencies } from './dependencies.ts';

/** The call ends after the check, so the check must leave time. */
const checkMs = 5_000;
const texts = { ...urlProblemTexts, ...publicTexts, timeout: 'The host name could not be resolved in time.' };

/** Throws `invalid_request` for a URL that must not be reached. Its name is resolved now, and again for each attempt. */
export async function requireUrl<E extends Environment>(
  { sender }: Pick<Dependencies<E>, 'sender'>,
  url: string,
  { deadline }: Pick<CallContext, 'deadline'>,
): Promise<void> {
  const problem = await sender.checkUrl(url, deadline.timeoutMs(checkMs));
  if (problem !== undefined) throw invalidField('url', texts[problem]);
}
