import { retry } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import kafkajs, { type Admin } from 'kafkajs';
import { metadataMaxAgeMs } from './produce/partition-table.ts';

// Node exposes some exports of this CommonJS module only on its default export.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

/** No event fits into this `max.message.bytes`. */
export const closedBytes = '0';

export interface ChangeOptions {
  /** Called with each step, for operators. */
  report(text: string): void;
  abort: AbortSignal;
  /** How long publishers may use an old number of partitions. Default: {@link publishersMs}. */
  publishersMs?: number;
  clock?: Pick<Clock, 'sleep'>;
}

export const publishersMs = metadataMaxAgeMs + 5_000;

const visiblePauseMs = 250;
const maxVisiblePauses = 40;

/** The configurations that were set for the topic, without the defaults of the brokers. */
export async function ownConfigs(admin: Admin, topic: string): Promise<Record<string, string | undefined>> {
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic };
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] });
  const own = resources[0]?.configEntries.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG);
  return Object.fromEntries(own?.map(({ configName, configValue }) => [configName, configValue]) ?? []);
}

/**
 * Sets these configurations of a topic, and removes those that are undefined. The request of kafkajs replaces all configurations, so it also has
 * the others. Resolves when the brokers show the change: a broker can show an older state for a moment, and the next change would restore it.
 */
export async function setConfigs(
  admin: Admin,
  topic: string,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic };
  const configs = { ...(await ownConfigs(admin, topic)), ...changes };
  const configEntries = Object.entries(configs).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
  const check = async () => {
    const shown = await ownConfigs(admin, topic);
    const differs = Object.entries(changes).some(([name, value]) => shown[name] !== value);
    if (differs) throw new Error(`the brokers do not show the new settings of ${topic} yet`);
  };
  await retry(check, { pauseMs: (attempt) => (attempt < maxVisiblePauses ? visiblePauseMs : undefined) });
}
