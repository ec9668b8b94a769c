import { limits } from '../../app/domain/throttle-limits.ts';
import type { Background } from '../../app/operations/background.ts';
import type { Throttle } from '../../app/outbound/throttle.ts';
import { mailboxKey } from '../domain/mailbox.ts';

/**
 * Runs the work of a mail after the response, unless the recipient had too many mails of this kind. Nothing tells it.
 *
 * @param isDue Whether the work will send a mail. Only mails count: otherwise addresses without an account, which differ from
 *   a person's in a tag, would use up the mails of that person, who would learn nothing of it.
 */
export function runLimitedMail(
  { throttle, background }: { throttle: Throttle; background: Background },
  kind: string,
  email: string,
  work: () => Promise<unknown>,
  isDue: () => Promise<boolean> = async () => true,
): void {
  const run = async () => {
    if (!(await isDue())) return;
    if (await throttle.allows([limits.mailOfRecipient, `${kind}.${mailboxKey(email)}`])) await work();
  };
  background.run(run());
}
