import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { withTimeout } from '@shopscope/async';
import { kafkaOptions } from '@shopscope/config';
import {
  countDeadLetters,
  createKafka,
  createProducer,
  type DeadLetter,
  type Kafka,
  readDeadLetters,
  replayDeadLetters,
} from '@shopscope/kafka';
import { observationCompleted, topics } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { escapedJson, escapedLines } from '@shopscope/text';
import { loadConfig } from './config.ts';
import {
  createLetterExaminer,
  createObservationSigner,
  permitPublicKeys,
  replaySigningKey,
  type UnsignedReason,
} from './sign-observation.ts';

const usage = `Commands:
  npm run dlq -- list                            the dead letters of each topic, and how many wait for a replay
  npm run dlq -- list TOPIC [--most N]           the waiting ones, oldest first: reason, origin, request
  npm run dlq -- replay TOPIC [--most N]         the events that a replay would publish again; changes nothing
  npm run dlq -- replay TOPIC [--most N] --yes   publishes them to TOPIC again, oldest first, each once
  npm run dlq -- replay observations.v1 --sign-refused --yes   also signs observations without a valid permit
TOPIC is one of ${topics.map(({ topic }) => topic).join(', ')}; N is at most 10000, default 20.
`;
const name = 'dead-letters';
const reachableMs = 10_000;

/** The message lists every topic, so the usage is not printed after it. */
class UnknownTopicError extends Error {
  constructor(topic: string) {
    super(`There is no topic ${topic}; TOPIC is one of ${topics.map((each) => each.topic).join(', ')}.`);
  }
}

/** Resolves with the exit code: 1 when Kafka is unavailable, 2 for an invalid command. */
async function main(args: string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h' || arg === 'help')) {
    process.stdout.write(usage);
    return 0;
  }
  let request: ReturnType<typeof read>;
  try {
    request = read(args);
  } catch (error) {
    process.stderr.write(`${escapedLines(messageOf(error))}\n${error instanceof UnknownTopicError ? '' : usage}`);
    return 2;
  }
  try {
    const config = loadConfig(process.env);
    const options = kafkaOptions({ ...config, INSTANCE_ID: `${name}-${hostname()}` });
    const logger = createLogger({ service: name, instance: name, level: 'fatal' });
    const kafka = createKafka({ ...options, logger, registry: createRegistry({ service: name }) });
    try {
      await requireBroker(kafka);
      await run(kafka, request, config);
      return 0;
    } finally {
      await kafka.close();
    }
  } catch (error) {
    process.stderr.write(`${escapedLines(messageOf(error))}\n`);
    return 1;
  }
}

/** Fails within {@link reachableMs} with one sentence. The retries of the client take longer and name no remedy. */
async function requireBroker(kafka: Kafka): Promise<void> {
  const brokers = kafka.options.brokers.join(', ');
  const admin = kafka.client.admin({ retry: { retries: 1 } });
  try {
    // A connection is not enough: a port that accepts but never responds is not a broker.
    const listed = admin.connect().then(() => admin.listTopics());
    await withTimeout(listed, reachableMs, `no response within ${reachableMs / 1_000} s`);
  } catch (error) {
    throw new Error(
      `Kafka at ${brokers} could not be used (${messageOf(error)}); start it, or correct KAFKA_BROKERS and the other KAFKA_* settings.`,
    );
  } finally {
    void admin.disconnect().catch(() => {});
  }
}

function read(args: string[]) {
  const options = {
    most: { type: 'string', default: '20' },
    yes: { type: 'boolean', default: false },
    'sign-refused': { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb, topic, ...rest] = positionals;
  if ((verb !== 'list' && verb !== 'replay') || rest.length > 0) throw new Error('This is not a command.');
  if (topic !== undefined && !topics.some((each) => each.topic === topic)) {
    throw new UnknownTopicError(topic);
  }
  if (verb === 'replay' && !topic) throw new Error('replay needs a TOPIC.');
  if (!/^\d{1,5}$/.test(values.most) || Number(values.most) > 10_000)
    throw new Error('--most must be a number up to 10000.');
  const signRefused = values['sign-refused'];
  if (signRefused && (verb !== 'replay' || topic !== observationCompleted.topic)) {
    throw new Error(`--sign-refused is for replay ${observationCompleted.topic}.`);
  }
  return { verb, topic, maxEvents: Number(values.most), yes: values.yes, signRefused };
}

async function run(
  kafka: Kafka,
  request: ReturnType<typeof read>,
  config: ReturnType<typeof loadConfig>,
): Promise<void> {
  const { verb, topic, maxEvents, yes, signRefused } = request;
  if (!topic) {
    const names = topics.map((each) => each.topic);
    const counts = await countDeadLetters(kafka, names);
    for (const each of names) {
      const count = counts.get(each);
      process.stdout.write(`${each}: ${count ? `${count.waiting} of ${count.kept} wait` : 'does not exist yet'}\n`);
    }
    return;
  }
  const waiting = async () => (await countDeadLetters(kafka, [topic])).get(topic)?.waiting ?? 0;
  if ((await waiting()) === 0) {
    process.stdout.write(`0 dead letters of ${topic} wait\n`);
    return;
  }
  const isObservation = verb === 'replay' && topic === observationCompleted.topic;
  const { PERMIT_PUBLIC_KEYS, REPLAY_SIGNING_KEY, SHOPSCOPE_ENV } = config;
  const publicKeys = isObservation ? permitPublicKeys(PERMIT_PUBLIC_KEYS, SHOPSCOPE_ENV) : [];
  const unsigned = new Map<UnsignedReason, number>();
  const onUnsigned = ({ offset, requestId, reason }: DeadLetter, fault: UnsignedReason) => {
    unsigned.set(fault, (unsigned.get(fault) ?? 0) + 1);
    printJson({ notSigned: fault, offset, requestId, reason });
  };
  if (yes && verb === 'replay') {
    const signing = () => ({
      prepare: createObservationSigner({
        key: replaySigningKey(REPLAY_SIGNING_KEY, SHOPSCOPE_ENV),
        publicKeys,
        signRefused,
        nowMs: Date.now,
        onUnsigned,
      }),
    });
    const prepare = isObservation ? signing() : {};
    const producer = createProducer(kafka);
    try {
      let omitted = 0;
      const onOmitted = ({ offset, origin, omittedBytes }: DeadLetter) => {
        omitted += 1;
        printJson({ notPublished: 'omitted', offset, origin, omittedBytes });
      };
      const replayed = await replayDeadLetters(kafka, { topic, producer, maxEvents, onOmitted, ...prepare });
      const note =
        unsignedNote(unsigned) + (omitted > 0 ? `; left out, because they were too large to keep: ${omitted}` : '');
      process.stdout.write(`${replayed - omitted} dead letters of ${topic} were published again${note}\n`);
    } finally {
      await producer.close();
    }
  } else {
    const examine = createLetterExaminer(publicKeys);
    const letters = await readDeadLetters(kafka, {
      topic,
      maxEvents,
      async inspect(record, letter) {
        const { deadLetteredAtMs, ...rest } = letter;
        const deadLetteredAt = new Date(deadLetteredAtMs).toISOString();
        printJson({ deadLetteredAt, ...rest });
        if (!isObservation || letter.omittedBytes !== undefined) return;
        const { observation, fault } = await examine(record, letter);
        if (fault && !(observation && signRefused)) onUnsigned(letter, fault);
      },
    });
    const would = verb === 'replay' ? ' would be published again; add --yes to do it' : '';
    process.stdout.write(`${letters.length} dead letters of ${topic}${would}${unsignedNote(unsigned)}\n`);
  }
  process.stdout.write(`${await waiting()} wait\n`);
}

/** How many letters are published without a permit of replay, by reason; '' when there are none. */
function unsignedNote(unsigned: ReadonlyMap<UnsignedReason, number>): string {
  if (unsigned.size === 0) return '';
  const total = [...unsigned.values()].reduce((sum, count) => sum + count, 0);
  const reasons = [...unsigned].map(([reason, count]) => `${reason} ${count}`).join(', ');
  return `; without a permit of replay: ${total} (${reasons})`;
}

/** A dead letter repeats what its publisher sent, which may control a terminal. */
const printJson = (line: object) => process.stdout.write(`${escapedJson(JSON.stringify(line))}\n`);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// The reader of a pipe may close it early (`| head`), which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Ends the process although the closed client may have requests in progress.
process.exit(await main(process.argv.slice(2)));
