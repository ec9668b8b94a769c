import { addGrants } from '@shopscope/kafka';
import { profileUpdated, topics } from '@shopscope/proto';
import { nightlyUnless } from '@shopscope/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { replayer, services } from '../src/kafka/table.ts';
import { migrator } from '../src/mongodb.ts';
import { mayCreate, mayRead, mayUseGroup, mayWrite } from './kafka-probes.ts';
import type { Secured } from './secured.ts';

/** Written by hand, independent of the table: r read, w write, c create, - none. Each topic with its dead-letter topic. */
const expected = `
                     usage.v1  .dlq  test-usage.v1  .dlq  scan-requests.v1  .dlq  test-scan-requests.v1  .dlq  refund-requests.v1  .dlq  test-refund-requests.v1  .dlq  scan-jobs.v1  .dlq  test-scan-jobs.v1  .dlq  observations.v1  .dlq  test-observations.v1  .dlq  profile-updates.v1  .dlq  test-profile-updates.v1  .dlq  key-events.v1  .dlq  allowance-events.v1  .dlq  test-allowance-events.v1  .dlq  key-acks.v1  .dlq  key-activity.v1  .dlq  workspace-events.v1  .dlq  test-workspace-events.v1  .dlq  webhook-states.v1  .dlq  test-webhook-states.v1  .dlq  requests.v1  .dlq  test-requests.v1  .dlq
gateway              w         -     w              -     w                 -     w                      -     -                   -     -                        -     -             -     -                  -     -                -     -                     -     -                   -     -                        -     r              w     -                    -     -                         -     w            -     w                -     -                    -     -                         -     -                  -     -                       -     w            -     w                 -
keys                 -         -     -              -     -                 -     -                      -     -                   -     -                        -     -             -     -                  -     -                -     -                     -     -                   -     -                        -     w              -     -                    -     -                         -     -            -     r                w     -                    -     -                         -     -                  -     -                       -     -            -     -                 -
profiles             -         -     -              -     -                 -     -                      -     -                   -     -                        -     -             -     -                  -     r                w     r                     w     w                   -     w                        -     r              w     -                    -     -                         -     -            -     -                -     -                    -     -                         -     -                  -     -                       -     -            -     -                 -
metering             r         w     r              w     -                 -     -                      -     r                   w     r                        w     -             -     -                  -     -                -     -                     -     -                   -     -                        -     r              w     w                    -     w                         -     -            -     -                -     -                    -     -                         -     -                  -     -                       -     -            -     -                 -
scan-scheduler       -         -     -              -     r                 w     r                      w     w                   -     w                        -     w             -     w                  -     -                -     w                     -     r                   w     r                        w     r              w     -                    -     -                         -     -            -     -                -     -                    -     -                         -     -                  -     -                       -     -            -     -                 -
scanner              -         -     -              -     -                 -     -                      -     -                   -     -                        -     -             -     -                  -     w                -     -                     -     -                   -     -                        -     -              -     -                    -     -                         -     -            -     -                -     -                    -     -                         -     -                  -     -                       -     -            -     -                 -
dashboard            -         -     -              -     -                 -     -                      -     -                   -     -                        -     -             -     -                  -     -                -     -                     -     -                   -     -                        -     -              -     -                    -     -                         -     r            w     r                w     -                    -     -                         -     r                  w     -                       -     r            w     r                 w
subscriptions        w         -     w              -     w                 -     w                      -     -                   -     -                        -     r             w     r                  w     -                -     -                     -     r                   w     r                        w     r              w     r                    w     r                         w     -            -     -                -     w                    -     w                         -     r                  w     r                       w     -            -     -                 -
webhooks             -         -     -              -     -                 -     -                      -     -                   -     -                        -     -             -     -                  -     -                -     -                     -     -                   -     -                        -     r              w     -                    -     -                         -     -            -     -                -     r                    w     r                         w     w                  -     w                       -     -            -     -                 -
replay-dead-letters  w         r     w              r     w                 r     w                      r     w                   r     w                        r     w             r     w                  r     w                r     w                     r     w                   r     w                        r     w              r     w                    r     w                         r     w            r     w                r     w                    r     w                         r     w                  r     w                       r     w            r     w                 r
migrate              c         c     c              c     c                 c     c                      c     c                   c     c                        c     c             c     c                  c     c                c     c                     c     c                   c     c                        c     c              c     c                    c     c                         c     c            c     c                c     c                    c     c                         c     c                  c     c                       c     c            c     c                 c`;

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
  subscriptions: 'subscriptions',
  webhooks: 'webhooks',
  'replay.usage.v1.dlq': replayer,
  'anything-else': '',
};

const principals = [...services, replayer, migrator];
/**
 * One that publishes and consumes, the one that creates, and those with unusual rights on groups. By day, the whole story finds a missing
 * right of the other services.
 */
const byDay = { topics: ['gateway', migrator], groups: ['dashboard', 'scan-scheduler'] };
const everyTopic = topics.flatMap(({ topic }) => [topic, `${topic}.dlq`]);
/** Groups that every principal may use in this test, so that only the right on the topic decides a read. */
const probeGroup = (principal: string) => `probe.${principal}`;

export function describeKafkaMatrix(secured: () => Secured): void {
  describe('Kafka', () => {
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
      for (const topic of everyTopic) expect(await mayWrite(administrator, topic)).toBe(true);
      await administrator.close();
    });

    // Each test mostly waits for the broker.
    for (const principal of principals) {
      const topicsTitle = `${principal} reads, writes and creates exactly the topics of the table in Kafka`;
      it.concurrent(topicsTitle, nightlyUnless(byDay.topics.includes(principal)), async () => {
        const kafka = secured().kafka(principal);
        const found: string[] = [];
        for (const topic of everyTopic) {
          const read = await mayRead(kafka, topic, probeGroup(principal));
          const [write, create] = [await mayWrite(kafka, topic), await mayCreate(kafka, topic)];
          found.push(`${read ? 'r' : ''}${write ? 'w' : ''}${create ? 'c' : ''}` || '-');
        }
        await kafka.close();
        const row = expected.split('\n').find((line) => line.split(' ')[0] === principal);
        expect([principal, ...found].join(' ')).toBe(row?.replaceAll(/ +/g, ' '));
      });
    }

    for (const principal of principals) {
      const groupsTitle = `${principal} sees the offsets of exactly the consumer groups of the table`;
      it(groupsTitle, nightlyUnless(byDay.groups.includes(principal)), async () => {
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
