import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { differencesOf, type FoundTopic } from './topic-differences.ts';

describe('the comparison of a topic with its definition', () => {
  const definition = { topic: 'notes', partitions: 2, retentionMs: 7 * dayMs };
  const differences = (
    { replicas = 3, ...configs }: { replicas?: number; [config: string]: string | number | undefined },
    replicationFactor = 3,
  ) => {
    const good = {
      'min.insync.replicas': '2',
      'retention.ms': String(7 * dayMs),
      'message.timestamp.type': 'CreateTime',
      'cleanup.policy': 'delete',
    };
    const found = { partitions: 2, replicas, configs: { ...good, ...configs } } as FoundTopic;
    return differencesOf(definition, found, replicationFactor).map(({ setting, found: has, needed }) => [
      setting,
      has,
      needed,
    ]);
  };

  it('min.insync.replicas must allow one missing replica, so that a stopped broker refuses no event', () => {
    expect(differences({ 'min.insync.replicas': '2' })).toEqual([]);
    expect(differences({ 'min.insync.replicas': '3' })).toEqual([['min.insync.replicas', '3', '2']]);
    expect(differences({ replicas: 5, 'min.insync.replicas': '4' })).toEqual([]);
    expect(differences({ replicas: 5, 'min.insync.replicas': '5' })).toEqual([['min.insync.replicas', '5', '4']]);
    expect(differences({ replicas: 1, 'min.insync.replicas': '1' }, 1)).toEqual([]);
  });

  it('min.insync.replicas must not be less than a topic with the least number of replicas needs', () => {
    expect(differences({ 'min.insync.replicas': '1' })).toEqual([['min.insync.replicas', '1', '2']]);
    expect(differences({ replicas: 5, 'min.insync.replicas': '2' })).toEqual([]);
  });

  it('a longer retention is no difference, so that no repair deletes events', () => {
    expect(differences({ 'retention.ms': String(8 * dayMs) })).toEqual([]);
    expect(differences({ 'retention.ms': '-1' })).toEqual([]);
    const needed = String(7 * dayMs);
    expect(differences({ 'retention.ms': String(6 * dayMs) })).toEqual([['retention.ms', String(6 * dayMs), needed]]);
    expect(differences({ 'retention.ms': undefined })).toEqual([['retention.ms', 'unknown', needed]]);
  });
});
