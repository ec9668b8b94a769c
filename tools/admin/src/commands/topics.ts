import { changeTopics, type Kafka, raisePartitions, type TopicDifference } from '@shopscope/kafka';
import { topics as definitions } from '@shopscope/proto';
import type { Command, Console } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { page } from '../output/output.ts';

const columns = ['topic', 'setting', 'found', 'needed'];
const empty = 'All topics have the settings that they need.';

/** The settings of the topics in Kafka, compared with their definitions. */
export const topicsCommands: readonly Command[] = [
  {
    words: 'topics plan',
    summary: 'Lists the settings of topics that differ from what the services need; changes nothing',
    note: 'The exit code is 1 if there is any difference',
    options: {},
    async run({ kafka }) {
      const differences = await kafka.topicDifferences(definitions);
      return { ...page(encode(differences), { columns, empty }), failed: differences.length > 0 };
    },
  },
  {
    words: 'topics apply',
    summary: 'Changes the settings that "topics plan" lists; the migration of the services creates missing topics',
    note: 'It needs a user who may alter topics. A topic whose partitions are added refuses events for a minute or longer: publishers keep them',
    options: {},
    async run({ kafka }, _, console) {
      await changeTopics(kafka, await kafka.topicDifferences(definitions), stepsOf(console));
      const differences = await kafka.topicDifferences(definitions);
      return { ...page(encode(differences), { columns, empty }), failed: differences.length > 0 };
    },
  },
  {
    words: 'topics raise',
    summary: 'Adds partitions to a topic, beyond those of its definition, and keeps the order of each key',
    note: 'The topic refuses events for a minute or longer: publishers keep them',
    operand: { name: 'TOPIC', help: `one of ${definitions.map(({ topic }) => topic).join(', ')}` },
    options: { partitions: { value: 'N', help: 'the new number of partitions', required: true } },
    async run({ kafka }, { operand, count }, console) {
      const partitions = count('partitions') ?? 0;
      const definition = definitions.find(({ topic }) => topic === operand);
      if (!definition) throw new UsageError(`there is no topic ${operand}`);
      if (partitions < definition.partitions) {
        throw new CommandError(`${operand} needs at least ${definition.partitions} partitions.`);
      }
      await raise(kafka, operand, partitions, console);
      return page([{ topic: kafka.topicName(operand), partitions }], { columns: ['topic', 'partitions'], empty });
    },
  },
];

async function raise(kafka: Kafka, topic: string, partitions: number, console: Console): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  try {
    await raisePartitions(admin, { ...stepsOf(console), topic: kafka.topicName(topic), partitions });
  } finally {
    await admin.disconnect();
  }
}

const stepsOf = (console: Console) => ({
  report: (text: string) => console.report(`${text}\n`),
  abort: console.interruption(),
});

const encode = (differences: readonly TopicDifference[]) =>
  differences.map(({ topic, setting, found, needed }) => ({ topic, setting, found: found ?? null, needed }));
