import type { Environment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { publicTexts, urlProblemTexts } from '@shopscope/outbound-http';
import type { Dependencies } from './dependencies.ts';

/** The call ends after the check, so the check must leave time. */
const checkMs = 5_000;

/** Throws `invalid_request` for a URL that must not be reached. Its name is resolved now, and again for each attempt. */
export async function requireUrl<E extends Environment>(
  { sender, clock }: Pick<Dependencies<E>, 'sender' | 'clock'>,
  url: string,
  { deadline }: Pick<CallContext, 'deadline'>,
): Promise<void> {
  const checking = new AbortController();
  const cancel = clock.after(deadline.timeoutMs(checkMs), () => checking.abort(new Error('the check took too long')));
  try {
    const problem = await sender.checkUrl(url, checking.signal);
    if (problem !== undefined) throw invalidField('url', { ...urlProblemTexts, ...publicTexts }[problem]);
  } finally {
    cancel();
  }
}
