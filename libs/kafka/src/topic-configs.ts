import kafkajs, { type Admin } from 'kafkajs';

// Node exposes some exports of this CommonJS module only on its default export.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

/** No event fits into this `max.message.bytes`. */
export const closedBytes = '0';

export interface ChangeOptions {
  /** Called with each step, for operators. */
  report(text: string): void;
  abort: AbortSignal;
}

/** Sets these configurations of a topic, and removes those that are undefined. The request of kafkajs would remove all others. */
export async function setConfigs(
  admin: Admin,
  topic: string,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic };
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] });
  const own = (resources[0]?.configEntries ?? []).filter(
    ({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG,
  );
  const configs = { ...Object.fromEntries(own.map((entry) => [entry.configName, entry.configValue])), ...changes };
  const configEntries = Object.entries(configs).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
}
