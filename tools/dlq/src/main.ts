import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kafkaOptions, kafkaSettings, readConfig, z } from '@shopscope/config';
import { countDeadLetters, createKafka, createProducer, readDeadLetters, replayDeadLetters } from '@shopscope/kafka';
import { topics } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';

const usage = `Commands:
  npm run dlq -- list                            how many dead letters each topic has, and how many wait for a replay
  npm run dlq -- list TOPIC [--most N]           those that wait, oldest first: why, from where, of which request
  npm run dlq -- replay TOPIC [--most N]         what a replay would publish again; changes nothing
  npm run dlq -- replay TOPIC [--most N] --yes   publishes them to TOPIC again, oldest first, each once
TOPIC is one of ${topics.map(({ topic }) => topic).join(', ')}; N is at most 10000, 20 unless given.
`;
const name = 'dead-letters';

interface Request {
  verb: 'list' | 'replay';
  topic: string | undefined;
  maxEvents: number;
  yes: boolean;
}

/** Resolves with the exit code. */
async function main(args: string[]): Promise<number> {
  let asked: Request;
  try {
    asked = read(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${usage}`);
    return 2;
  }
  const kafka = createKafka({
    ...kafkaOptions({ ...settings(), INSTANCE_ID: `${name}-${hostname()}` }),
    logger: createLogger({ service: name, instance: name, level: 'fatal' }),
    registry: createRegistry({ service: name }),
  });
  try {
    await run(kafka, asked);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  } finally {
    await kafka.close();
  }
}

function read(args: string[]): Request {
  const options = { most: { type: 'string', default: '20' }, yes: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb, topic, ...rest] = positionals;
  const known = topic === undefined || topics.some((each) => each.topic === topic);
  if ((verb !== 'list' && verb !== 'replay') || !known || rest.length > 0) throw new Error('That is not a command.');
  if (verb === 'replay' && !topic) throw new Error('replay needs a TOPIC.');
  if (!/^\d{1,5}$/.test(values.most) || Number(values.most) > 10_000)
    throw new Error('--most is a number up to 10000.');
  return { verb, topic, maxEvents: Number(values.most), yes: values.yes };
}

async function run(kafka: ReturnType<typeof createKafka>, { verb, topic, maxEvents, yes }: Request): Promise<void> {
  if (!topic) {
    const names = topics.map((each) => each.topic);
    const counts = await countDeadLetters(kafka, names);
    for (const each of names) {
      const count = counts.get(each);
      process.stdout.write(`${each}: ${count ? `${count.waiting} of ${count.kept} wait` : 'is not there yet'}\n`);
    }
    return;
  }
  const waiting = async () => (await countDeadLetters(kafka, [topic])).get(topic)?.waiting ?? 0;
  if ((await waiting()) === 0) {
    process.stdout.write(`0 dead letters of ${topic} wait\n`);
    return;
  }
  if (yes && verb === 'replay') {
    const producer = createProducer(kafka);
    try {
      const replayed = await replayDeadLetters(kafka, { topic, producer, maxEvents });
      process.stdout.write(`${replayed} dead letters of ${topic} were published again\n`);
    } finally {
      await producer.close();
    }
  } else {
    const letters = await readDeadLetters(kafka, { topic, maxEvents });
    for (const letter of letters) {
      const { buriedAtMs, ...rest } = letter;
      process.stdout.write(`${JSON.stringify({ buriedAt: new Date(buriedAtMs).toISOString(), ...rest })}\n`);
    }
    const would = verb === 'replay' ? ' would be published again; add --yes to do it' : '';
    process.stdout.write(`${letters.length} dead letters of ${topic}${would}\n`);
  }
  process.stdout.write(`${await waiting()} wait\n`);
}

/** The services' own settings; without KAFKA_BROKERS those of the running local system. */
function settings() {
  const env = process.env;
  const schema = z.object({ SHOPSCOPE_ENV: z.string().default('production'), ...kafkaSettings });
  return readConfig(schema, { ...env, KAFKA_BROKERS: env.KAFKA_BROKERS || localBrokers(env.SHOPSCOPE_LOCAL_DIR) });
}

function localBrokers(directory = '.local'): string | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')).stack.kafka.brokers;
  } catch {
    return undefined;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// What the client still asks a broker for, after it was closed, does not keep the operator waiting.
process.exit(await main(process.argv.slice(2)));
