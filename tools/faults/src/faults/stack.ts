import {
  all,
  failsAsInternal,
  failsOnlyWith,
  isKeyed,
  nothingSucceeds,
  someAreTold,
  unaffected,
} from './expectations.ts';
import { cut, flushRedis, freeze, kill, reset, stand } from './harm.ts';
import type { Scenario } from './scenario.ts';

const mongodbRow = {
  row: 'mongod KILL, STOP, blackhole',
  expected: 'internal before 10.5 s; no acknowledged loss; recovers alone ≤ 15 s',
  isPushHarmed: true,
  exercises: ['touched by the fault'],
  check: failsAsInternal,
};
const mongodbScenarios: Scenario[] = [
  {
    ...mongodbRow,
    name: 'mongod-kill',
    holdMs: [500, 2_000],
    inject: (stage) => kill(stage, 'mongodb'),
  },
  {
    ...mongodbRow,
    name: 'mongod-stop',
    holdMs: [14_000, 20_000],
    inject: (stage) => stand(stage, 'mongodb'),
  },
  {
    ...mongodbRow,
    name: 'mongod-blackhole',
    holdMs: [14_000, 20_000],
    inject: ({ system }) => freeze(system.links(/>mongodb/)),
  },
];

const kafkaRow = {
  row: 'Kafka KILL, cut 5 min, reset mid-produce',
  expected: 'API unaffected; drains in ≤ 60 s',
  isPushHarmed: true,
};
const apiUnaffected = unaffected('requests', () => true);
const kafkaScenarios: Scenario[] = [
  {
    ...kafkaRow,
    name: 'kafka-kill',
    holdMs: [500, 2_000],
    inject: (stage) => kill(stage, 'kafka'),
    check: apiUnaffected,
  },
  {
    ...kafkaRow,
    name: 'kafka-cut',
    holdMs: [300_000, 300_000],
    perSecond: 6,
    inject: ({ system }) => cut(system.links(/>kafka/)),
    check: apiUnaffected,
  },
  {
    ...kafkaRow,
    name: 'kafka-reset',
    holdMs: [12_000, 18_000],
    inject: ({ system, random }) => reset(system.links(/>kafka/), random.between(50, 400)),
    check: apiUnaffected,
  },
];

const redisRow = {
  row: 'Redis KILL, FLUSHALL, STOP, cut',
  expected: 'local limits; requests with an Idempotency-Key 503',
  isRedisLost: true,
};
/** Nothing fails that does not need Redis, and what does is told to come again. */
const localLimits = all(
  unaffected('requests without an Idempotency-Key', (operation) => !isKeyed(operation)),
  failsOnlyWith('503 unavailable'),
);
const noticedMs = 3_000;
/** What carries an Idempotency-Key is not carried out without Redis, and its sender is told to come again. */
const keyedAreRefused = all(nothingSucceeds(noticedMs, isKeyed), someAreTold('503 unavailable', noticedMs, isKeyed));
const redisScenarios: Scenario[] = [
  {
    ...redisRow,
    name: 'redis-kill',
    holdMs: [2_000, 5_000],
    inject: (stage) => kill(stage, 'redis'),
    check: localLimits,
  },
  {
    ...redisRow,
    name: 'redis-flushall',
    holdMs: [500, 2_000],
    inject: ({ system }) => flushRedis(system),
    check: localLimits,
  },
  {
    ...redisRow,
    name: 'redis-stop',
    holdMs: [20_000, 30_000],
    inject: (stage) => stand(stage, 'redis'),
    isTimed: true,
    check: all(localLimits, keyedAreRefused),
  },
  {
    ...redisRow,
    name: 'redis-cut',
    holdMs: [20_000, 30_000],
    inject: ({ system }) => cut(system.links(/>redis/)),
    isTimed: true,
    check: all(localLimits, keyedAreRefused),
  },
];

export const stackScenarios = [...mongodbScenarios, ...kafkaScenarios, ...redisScenarios];
