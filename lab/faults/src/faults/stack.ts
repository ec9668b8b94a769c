import {
  all,
  failsAsInternal,
  failsOnlyWith,
  isKeyed,
  nothingSucceeds,
  someGetResponse,
  unaffected,
} from './expectations.ts';
import { cut, flushRedis, freeze, kill, reset, suspend } from './inject.ts';
import { makeReadOnly, requireDegraded } from './read-only-redis.ts';
import type { Scenario } from './scenario.ts';

const mongodbRow = {
  row: 'mongod KILL, STOP, blackhole',
  expected: 'internal before 10.5 s; no acknowledged loss; recovers alone ≤ 15 s',
  breaksRevocationPush: true,
  requiredFigures: ['touched by the fault'],
  check: failsAsInternal,
};
const mongodbScenarios: Scenario[] = [
  { ...mongodbRow, name: 'mongod-kill', durationMs: [500, 2_000], inject: (context) => kill(context, 'mongodb') },
  {
    ...mongodbRow,
    name: 'mongod-stop',
    durationMs: [14_000, 20_000],
    inject: (context) => suspend(context, 'mongodb'),
  },
  {
    ...mongodbRow,
    name: 'mongod-blackhole',
    durationMs: [14_000, 20_000],
    inject: ({ system }) => freeze(system.links(/>mongodb/)),
  },
];

const kafkaRow = {
  row: 'Kafka KILL, cut 5 min, reset mid-produce',
  expected: 'API unaffected; drains in ≤ 60 s',
  breaksRevocationPush: true,
  check: unaffected('requests', () => true),
};
const kafkaScenarios: Scenario[] = [
  { ...kafkaRow, name: 'kafka-kill', durationMs: [500, 2_000], inject: (context) => kill(context, 'kafka') },
  {
    ...kafkaRow,
    name: 'kafka-cut',
    durationMs: [300_000, 300_000],
    perSecond: 6,
    inject: ({ system }) => cut(system.links(/>kafka/)),
  },
  {
    ...kafkaRow,
    name: 'kafka-reset',
    durationMs: [12_000, 18_000],
    inject: ({ system, random }) => reset(system.links(/>kafka/), random.between(50, 400)),
  },
];

/** Requires that requests without an Idempotency-Key succeed, because they do not need Redis. The others may get `unavailable`. */
export const localLimits = all(
  unaffected('requests without an Idempotency-Key', (operation) => !isKeyed(operation)),
  failsOnlyWith('503 unavailable'),
);
const detectedWithinMs = 3_000;
/** Requires that no request with an Idempotency-Key is executed without Redis, and that some get `unavailable`. */
const keyedAreRefused = all(
  nothingSucceeds(detectedWithinMs, isKeyed),
  someGetResponse('503 unavailable', detectedWithinMs, isKeyed),
);
const redisRow = {
  row: 'Redis KILL, FLUSHALL, STOP, cut',
  expected: 'local limits; requests with an Idempotency-Key 503',
  losesRedisState: true,
  check: localLimits,
};
const unavailableRow = {
  ...redisRow,
  durationMs: [20_000, 30_000] as const,
  assertsTiming: true,
  check: all(localLimits, keyedAreRefused),
};
const redisScenarios: Scenario[] = [
  { ...redisRow, name: 'redis-kill', durationMs: [2_000, 5_000], inject: (context) => kill(context, 'redis') },
  { ...redisRow, name: 'redis-flushall', durationMs: [500, 2_000], inject: ({ system }) => flushRedis(system) },
  { ...unavailableRow, name: 'redis-stop', inject: (context) => suspend(context, 'redis') },
  { ...unavailableRow, name: 'redis-cut', inject: ({ system }) => cut(system.links(/>redis/)) },
  {
    ...unavailableRow,
    name: 'redis-readonly-single',
    row: 'Redis made a replica, as a switch of the primary does to the old node',
    expected: 'local limits; requests with an Idempotency-Key 503; /v1/health says degraded',
    inject: ({ system }) => makeReadOnly(system),
    duringFault: requireDegraded,
  },
];

export const stackScenarios = [...mongodbScenarios, ...kafkaScenarios, ...redisScenarios];
