import { type PeriodicLoop, startPeriodicLoop } from '@shopscope/async';
import { hourMs, minuteMs } from '@shopscope/clock';
import { unlessNotFound } from '@shopscope/grpc';
import { type Attempt, DeliveryState } from '@shopscope/proto';
import { noOrigin, type Origin } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import { isNoSuchRecipient } from '../../app/outbound/counted-mails.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { mailboxKey, mails } from '../../people/domain.ts';
import { isOpen } from '../domain/alert.ts';
import { withoutQuery } from '../domain/shown-url.ts';
import type { AlertMail } from '../outbound/alert-mails.ts';

const intervalMs = 2_000;
const maxBatchSize = 100;
/** Longer than the calls of one mail take. */
const leaseMs = 2 * minuteMs;
const longestPauseMs = 6 * hourMs;
/** How many deliveries are read to find the latest attempt. */
const maxDeliveries = 20;

const liveOrigin: Origin = { ...noOrigin, environment: 'live' };

/**
 * Sends the mails that are due, one after another.
 *
 * - webhooks or the mail server is unavailable -> the mail waits: 1 minute, then twice as long each time, up to 6 hours. It ends with its
 *   record, after 14 days.
 * - The mailbox got too many mails of this kind -> the mail waits for an hour.
 * - The endpoint was mended or deleted, or the person is no longer an admin -> the mail is not sent.
 * - The process is killed between the mail and its record -> the mail is sent again after its lease.
 */
export async function sendAlertMails(deps: Dependencies, abort: AbortSignal): Promise<void> {
  const { alertMails, clock } = deps;
  for (let count = 0; count < maxBatchSize && !abort.aborted; count += 1) {
    const mail = await alertMails.take(new Date(clock.now()), leaseMs);
    if (!mail) return;
    try {
      const waitMs = await send(deps, mail);
      if (waitMs === 0) await alertMails.end(mail);
      else await alertMails.delay(mail, new Date(clock.now() + waitMs));
    } catch (error) {
      if (isNoSuchRecipient(error)) await alertMails.end(mail);
      else await alertMails.delay(mail, new Date(clock.now() + pauseMs(mail)));
      throw error;
    }
  }
}

export function startAlertMails(deps: Dependencies): PeriodicLoop {
  return startPeriodicLoop({
    intervalMs,
    run: (abort) => sendAlertMails(deps, abort),
    onError: (error) => deps.logger.warn({ err: error }, 'a mail about a webhook was not sent'),
  });
}

const pauseMs = ({ attempts }: AlertMail) => Math.min(longestPauseMs, minuteMs * 2 ** Math.min(attempts - 1, 20));

/** Sends a mail if it is still needed. Returns the time to wait before the next try, or 0. */
async function send(deps: Dependencies, mail: AlertMail): Promise<number> {
  const { workspaceId, endpointId, userId, kind } = mail;
  const membership = await deps.team.findMembership(userId, workspaceId);
  const person = await deps.people.findById(userId);
  if (!person || membership?.role !== 'admin') return 0;
  const found = await unlessNotFound(deps.webhooks.getEndpoint({ workspaceId, endpointId }, liveOrigin));
  const endpoint = found?.endpoint;
  if (!endpoint || !isOpen(mail, endpoint)) return 0;
  const latest = await latestAttempt(deps, mail);
  if (!(await deps.throttle.allows([limits.mailOfRecipient, `webhook.${mailboxKey(person.email)}`]))) return hourMs;
  const facts = {
    email: person.email,
    workspaceName: membership.name,
    endpoint: withoutQuery(endpoint.url),
    since: endpoint.failingSinceMs === undefined ? undefined : new Date(endpoint.failingSinceMs),
    status: latest?.status,
    error: latest?.error ?? '',
  };
  const page = `${deps.url}/workspaces/${workspaceId}/webhooks/${endpointId}`;
  await deps.sendMail(kind === 'failing' ? mails.webhookFailing(facts, page) : mails.webhookDisabled(facts, page));
  return 0;
}

async function latestAttempt(
  { webhooks }: Dependencies,
  { workspaceId, endpointId }: AlertMail,
): Promise<Attempt | undefined> {
  const states = [DeliveryState.RETRYING, DeliveryState.FAILED];
  const query = { workspaceId, endpointId, eventId: '', states, fromMs: undefined, toMs: undefined, after: undefined };
  const { deliveries } = await webhooks.listDeliveries({ ...query, limit: maxDeliveries }, liveOrigin);
  return deliveries.flatMap(({ attempts }) => attempts).reduce<Attempt | undefined>(later, undefined);
}

const later = (latest: Attempt | undefined, attempt: Attempt) =>
  latest && latest.atMs >= attempt.atMs ? latest : attempt;
