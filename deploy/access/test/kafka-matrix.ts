import { addGrants } from '@shopscope/kafka';
import { profileUpdated, topics } from '@shopscope/proto';
import { isNightly, nightlyUnless } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { replayer, services } from '../src/kafka/table.ts';
import { migrator } from '../src/mongodb.ts';
import { mayCreate, mayRead, mayUseGroup, mayWrite } from './kafka-probes.ts';
import { columns, rightsOf } from './kafka-rights.ts';
import type { Secured } from './secured.ts';

/** Who sees the offsets of each group. */
const expectedGroups: Record<string, string | string[]> = {
  'gateway-keys.gateway-0.1a2b3c4d': 'gateway',
  keys: 'keys',
  profiles: ['profiles', 'scan-scheduler'],
  metering: 'metering',
  'metering-refunds': 'metering',
  'scan-scheduler': 'scan-scheduler',
  'dashboard-acks.dashboard-0.1a2b3c4d': 'dashboard',
  dashboard: 'dashboard',
  'dashboard-requests': 'dashboard',
  'dashboard-webhooks': 'dashboard',
  search: 'search',
  subscriptions: 'subscriptions',
  webhooks: 'webhooks',
  'replay.usage.v1.dlq': replayer,
  'anything-else': '',
};

const principals = [...services, replayer, migrator];
/** Those with unusual rights. By day, the whole story finds a missing right of the other services, and src/kafka/grants.test.ts an excess right. */
const groupsByDay = ['dashboard', 'scan-scheduler'];
const topicsByDay = [...groupsByDay, replayer, migrator];
const hasTopicsNow = (principal: string) => isNightly || topicsByDay.includes(principal);
/** By day, the broker is asked for the first topic of each right of a principal, and src/kafka/grants.test.ts compares all topics. */
const askedOf = (principal: string): Record<string, string> => {
  const isAsked = (right: string, n: number, rights: readonly string[]) => isNightly || rights.indexOf(right) === n;
  const columnOf = (right: string, n: number) => [columns[n] ?? '', right] as const;
  return Object.fromEntries(
    rightsOf(principal).flatMap((right, n, all) => (isAsked(right, n, all) ? [columnOf(right, n)] : [])),
  );
};
/** Groups that every principal may use in this test, so that only the right on the topic decides a read. */
const probeGroup = (principal: string) => `probe.${principal}`;

export function describeKafkaMatrix(secured: () => Secured): void {
  // Each test mostly waits for the broker.
  describe.concurrent('Kafka', () => {
    beforeAll(async () => {
      const administrator = secured().kafka('super');
      await administrator.ensureTopics(topics);
      await addGrants(
        administrator,
        principals.map((principal) => ({
          principal,
          resource: 'group',
          name: probeGroup(principal),
          match: 'literal',
          operations: ['read'],
        })),
      );
      for (const topic of new Set(principals.filter(hasTopicsNow).flatMap((each) => Object.keys(askedOf(each)))))
        expect(await mayWrite(administrator, topic)).toBe(true);
      await administrator.close();
    });

    for (const principal of principals) {
      const topicsTitle = `${principal} reads, writes and creates exactly the topics of the table in Kafka`;
      it(topicsTitle, nightlyUnless(topicsByDay.includes(principal)), async () => {
        const kafka = secured().kafka(principal);
        const wanted = askedOf(principal);
        const found: Record<string, string> = {};
        for (const topic of Object.keys(wanted)) {
          const read = await mayRead(kafka, topic, probeGroup(principal));
          const [write, create] = [await mayWrite(kafka, topic), await mayCreate(kafka, topic)];
          found[topic] = `${read ? 'r' : ''}${write ? 'w' : ''}${create ? 'c' : ''}` || '-';
        }
        await kafka.close();
        expect(found).toEqual(wanted);
        expect(Object.keys(found)).not.toEqual([]);
      });
    }

    for (const principal of principals) {
      const groupsTitle = `${principal} sees the offsets of exactly the consumer groups of the table`;
      it(groupsTitle, nightlyUnless(groupsByDay.includes(principal)), async () => {
        const kafka = secured().kafka(principal);
        const found = new Map<string, boolean>();
        for (const group of Object.keys(expectedGroups)) found.set(group, await mayUseGroup(kafka, group));
        await kafka.close();
        const own = Object.entries(expectedGroups).map(([group, owner]) => [group, [owner].flat().includes(principal)]);
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(own));
      });
    }

    it('scan-scheduler cannot join the group of profiles, whose offsets it sees', async () => {
      const kafka = secured().kafka('scan-scheduler');
      expect(await mayRead(kafka, profileUpdated.live.topic, 'profiles')).toBe(false);
      await kafka.close();
    });
  });
}
