import { mailboxKey } from '../domain/mailbox.ts';
import { limits } from '../domain/throttle-limits.ts';
import type { Throttle } from '../outbound/redis/throttle.ts';
import type { Background } from './background.ts';

/** Runs the work of a mail after the response, unless the recipient had too many mails of this kind. Nothing tells it. */
export function runLimitedMail(
  { throttle, background }: { throttle: Throttle; background: Background },
  kind: string,
  email: string,
  work: () => Promise<unknown>,
): void {
  const run = async () => {
    if (await throttle.allows([limits.mailOfRecipient, `${kind}.${mailboxKey(email)}`])) await work();
  };
  background.run(run());
}
