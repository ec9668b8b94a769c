import type { Clock } from '@shopscope/clock';
import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Transact, Tx } from '@shopscope/mongo';
import { type Logger, type Origin, originFields } from '@shopscope/telemetry';
import { isNetwork, type OptOut, type OptOutList, optOutListOf, subjectOf } from '../domain/opt-out.ts';
import type { OptOutStore } from '../outbound/mongo/opt-outs.ts';

/**
 * The list of domains and networks that operators have opted out: no scanner visits them, and profiles removes the stores of the domains.
 *
 * - Each decision uses a list that was read at most `maxListAgeMs` ago. After this time all instances therefore apply a new entry.
 * - The list cannot be read -> decisions fail. Nothing is leased then, and no request is admitted.
 * - An entry of a domain and its event are one transaction. An addition is repeated -> its event is published again, and changes nothing.
 * - Bound: at most `maxEntries` entries are in force.
 */
export type OptOuts = ReturnType<typeof createOptOuts>;

export const maxListAgeMs = 5_000;
const maxEntries = 10_000;
const maxTextLength = 500;
const maxListed = 1_000;

export interface OptOutParts {
  store: OptOutStore;
  clock: Clock;
  logger: Logger;
  transact: Transact;
  /** Adds the event about the latest change of the entry, within the transaction. */
  appendChange(tx: Tx, optOut: OptOut, origin: Origin): Promise<void>;
}

export function createOptOuts({ store, clock, logger, transact, appendChange }: OptOutParts) {
  let read: { atMs: number; list: Promise<OptOutList> } | undefined;

  const subjectIn = (text: string) => {
    const subject = subjectOf(text);
    if (subject === null) throw invalidField('subject', 'must be a domain, an address or a network');
    return subject;
  };
  const publish = async (tx: Tx, optOut: OptOut, origin: Origin) => {
    if (!isNetwork(optOut.subject)) await appendChange(tx, optOut, origin);
  };
  const required = (field: string, text: string) => {
    if (text.trim() === '') throw invalidField(field, 'is required');
    if (text.length > maxTextLength) throw invalidField(field, `must have at most ${maxTextLength} characters`);
    return text;
  };

  return {
    current(): Promise<OptOutList> {
      const nowMs = clock.monotonicMs();
      if (!read || nowMs - read.atMs > maxListAgeMs) {
        const reading = { atMs: nowMs, list: store.subjects().then(optOutListOf) };
        reading.list.catch(() => {
          if (read === reading) read = undefined;
        });
        read = reading;
      }
      return read.list;
    },

    async add(input: Pick<OptOut, 'subject' | 'reason' | 'actor'>, { deadline, origin }: CallContext) {
      const subject = subjectIn(input.subject);
      const reason = required('reason', input.reason);
      const actor = required('actor', input.actor);
      if ((await store.count()) >= maxEntries) {
        throw new AppError('unavailable', `There are ${maxEntries} opt-outs; remove some first.`);
      }
      const added = await transact(
        async (tx) => {
          const result = await store.add({ subject, reason, actor }, new Date(clock.now()), tx);
          await publish(tx, result.optOut, origin);
          return result;
        },
        { deadline },
      );
      read = undefined;
      if (added.created) logger.info({ subject, reason, actor, ...originFields(origin) }, 'opt-out added');
      return added;
    },

    async remove(input: Pick<OptOut, 'subject' | 'actor'>, { deadline, origin }: CallContext): Promise<OptOut> {
      const subject = subjectIn(input.subject);
      const actor = required('actor', input.actor);
      const removed = await transact(
        async (tx) => {
          const optOut = await store.remove(subject, actor, new Date(clock.now()), tx);
          if (optOut) await publish(tx, optOut, origin);
          return optOut;
        },
        { deadline },
      );
      if (!removed) throw new AppError('not_found', `There is no opt-out of ${subject}.`);
      read = undefined;
      logger.info({ subject, actor, ...originFields(origin) }, 'opt-out removed');
      return removed;
    },

    list(input: { withRemoved: boolean; afterSubject: string; limit: number }, { deadline }: CallContext) {
      const limit = Math.min(maxListed, Math.max(1, input.limit));
      return store.list({ ...input, limit }, deadline.timeoutMs());
    },
  };
}
