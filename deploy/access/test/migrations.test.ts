import { migrations } from '@shopscope/dev-env';
import { expect, it } from 'vitest';
import { kafkaAccess, type ServiceName, services } from '../src/kafka/table.ts';
import { databases } from '../src/mongodb.ts';

it.each(services)('the migration of %s has every topic that it uses, and its database', (service: ServiceName) => {
  const { publishes, consumes, watches = [] } = kafkaAccess[service];
  const used = new Set([...publishes, ...[...consumes, ...watches].map(({ topic }) => topic)]);
  const { topics, database } = migrations[service] ?? { topics: [] };
  expect(topics.map(({ topic }) => topic).toSorted()).toEqual([...used].toSorted());
  expect(database?.name).toBe((databases as Record<string, string>)[service]);
});
