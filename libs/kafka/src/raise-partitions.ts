import { retry } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import kafkajs, { type Admin, type MemberDescription } from 'kafkajs';
import {
  type ChangeOptions,
  closedBytes,
  ownConfigs,
  publishersMs as publishersMsDefault,
  setConfigs,
} from './topic-configs.ts';

// Node exposes some exports of this CommonJS module only on its default export.
const { AssignerProtocol } = kafkajs;

const sizeConfig = 'max.message.bytes';

/**
 * Adds partitions to a topic. A key then has another partition, whose events may be handled before the last ones of the old partition. The
 * steps keep the order of each key:
 *
 * 1. The broker refuses further events of the topic. Publishers keep them in their outbox or send them over gRPC.
 * 2. Every group of the topic has committed all events.
 * 3. The partitions are added, and every publisher has read the new number.
 * 4. The broker accepts events again.
 *
 * - A group cannot handle its events in time -> the call rejects before step 1.
 * - A step fails, or the caller aborts -> step 4 follows. A repeated call continues. An abort does not end step 3.
 * - The process dies -> the topic stays closed, which `topicDifferences` shows. `changeTopics` opens it when every publisher knows the number
 *   of partitions, with the broker's default of `max.message.bytes`.
 */
export async function raisePartitions(
  admin: Admin,
  options: ChangeOptions & {
    /** The topic's name in the cluster. */
    topic: string;
    partitions: number;
  },
): Promise<void> {
  const { topic, partitions, report, abort, publishersMs = publishersMsDefault, clock = systemClock } = options;
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const found = topics[0]?.partitions.length ?? 0;
  if (partitions === found) return;
  if (partitions < found) throw new Error(`${topic} has ${found} partitions. Kafka cannot remove partitions.`);
  await rejectUnhandled(admin, topic);
  const { [sizeConfig]: ownBytes } = await ownConfigs(admin, topic);
  const openBytes = ownBytes === closedBytes ? undefined : ownBytes;
  if (openBytes) report(`${topic}: ${sizeConfig} is ${openBytes}, and returns to it at the end`);
  report(`${topic}: closed, until its consumers have handled all events`);
  await setConfigs(admin, topic, { [sizeConfig]: closedBytes });
  try {
    await untilHandled(admin, topic, { abort, clock });
    await admin.createPartitions({ topicPartitions: [{ topic, count: partitions }] });
    report(`${topic}: ${partitions} partitions; ${publishersMs / 1_000} s until all publishers know them`);
    await clock.sleep(publishersMs);
  } finally {
    await setConfigs(admin, topic, { [sizeConfig]: openBytes });
    report(`${topic}: open`);
  }
}

const handledPauseMs = 250;
const maxHandledPauses = 2_400;

/** A group handles so many events within seconds. */
const maxUnhandled = 10_000n;

/** The groups that have committed offsets in the topic and not its ends, with the number of their remaining events. */
async function unhandledOf(admin: Admin, topic: string): Promise<Map<string, bigint>> {
  const [{ groups }, ends] = await Promise.all([admin.listGroups(), admin.fetchTopicOffsets(topic)]);
  const unhandled = new Map<string, bigint>();
  for (const { groupId } of groups) {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    if ([...committed.values()].every((offset) => offset < 0n)) continue;
    const events = ends.reduce((sum, { partition, low, high }) => {
      const next = committed.get(partition) ?? -1n;
      return sum + BigInt(high) - (next < BigInt(low) ? BigInt(low) : next);
    }, 0n);
    if (events > 0n) unhandled.set(groupId, events);
  }
  return unhandled;
}

/** Rejects if a group has no consumer for its remaining events, or too many of them. */
async function rejectUnhandled(admin: Admin, topic: string): Promise<void> {
  const unhandled = await unhandledOf(admin, topic);
  if (unhandled.size === 0) return;
  const { groups } = await admin.describeGroups([...unhandled.keys()]);
  for (const { groupId, members } of groups) {
    const events = unhandled.get(groupId) ?? 0n;
    const has = `group ${groupId} has ${events} unhandled events of ${topic}`;
    if (!members.some((member) => isConsumerOf(topic, member)))
      throw new Error(`${has} and no consumer. Start its service, or delete the group.`);
    if (events > maxUnhandled) throw new Error(`${has}. Try again when it has at most ${maxUnhandled}.`);
  }
}

const isConsumerOf = (topic: string, { memberAssignment }: MemberDescription): boolean =>
  (AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? []).length > 0;

/** Resolves when every group that has committed offsets in the topic has committed its ends. */
async function untilHandled(admin: Admin, topic: string, options: { abort: AbortSignal; clock: Pick<Clock, 'sleep'> }) {
  const check = async () => {
    const [groupId] = (await unhandledOf(admin, topic)).keys();
    if (groupId) throw new Error(`group ${groupId} has not handled all events of ${topic}`);
  };
  await retry(check, { ...options, pauseMs: (attempt) => (attempt < maxHandledPauses ? handledPauseMs : undefined) });
}
