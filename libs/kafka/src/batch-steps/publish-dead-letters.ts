import { parseEnvironment } from '@shopscope/environment';
import { type DeadLetterOrigin, deadLetterRecord } from '../dead-letters.ts';
import { headerOf } from '../decode.ts';
import { headers } from '../event-type.ts';
import { deadLetterSuffix } from '../topics.ts';
import type { Batch, RejectedMessage, StepDependencies } from './batch.ts';

const timeoutMs = 10_000;

/** Resolves when all dead letters are durable. There are at most as many as messages in the batch. The producer splits them into requests. */
export async function publishDeadLetters(
  { groupId, producer, logger, outcomes }: StepDependencies,
  { topic, partition }: Batch,
  rejected: readonly RejectedMessage[],
): Promise<void> {
  if (rejected.length === 0) return;
  const letters = rejected.map(({ message, reason }) => {
    const origin: DeadLetterOrigin = { topic, partition, groupId, reason };
    return { message, origin, record: deadLetterRecord(message, origin) };
  });
  const records = letters.map(({ record }) => record);
  await producer.publishRaw(topic + deadLetterSuffix, records, { timeoutMs });
  outcomes.inc({ group: groupId, topic, outcome: 'dead_lettered' }, letters.length);
  for (const { message, origin } of letters) {
    const requestId = headerOf(message, headers.requestId);
    // An unknown environment is part of the reason.
    const environment = parseEnvironment(headerOf(message, headers.environment)) ?? undefined;
    logger.error(
      { ...origin, offset: message.offset, requestId, environment },
      'an event went to the dead-letter topic',
    );
  }
}
