import { parseArgs } from 'node:util';
import { LocalStackError, type RedisForm, redisForms } from '@shopscope/local-stack';
import { type ServiceName, serviceNames } from './ports.ts';

/** What `npm start -- …` may set. */
export interface StartArguments {
  /** `--replicas gateway=2,metering=2`; default: one instance per service. */
  replicas: Record<ServiceName, number>;
  /** `--nodes 3`; default: one node of MongoDB, of Kafka and of Redis. */
  nodes: 1 | 3;
  /** `--redis cluster`, only with three nodes. */
  redisForm: RedisForm;
}

const maxReplicas = 8;

/** Throws LocalStackError with the invalid option. */
export function parseArguments(argv: readonly string[]): StartArguments {
  const options = {
    replicas: { type: 'string', multiple: true },
    nodes: { type: 'string' },
    redis: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true });
  const { replicas, nodes = '1', redis, ...others } = values;
  const unknown = [...Object.keys(others).map((name) => `--${name}`), ...positionals];
  if (unknown.length > 0) {
    throw new LocalStackError(`npm start accepts only --replicas, --nodes and --redis, not "${unknown.join(' ')}".`);
  }
  if (nodes !== '1' && nodes !== '3') throw new LocalStackError(`--nodes must be 1 or 3, not "${textOf(nodes)}".`);
  return { replicas: replicasOf(replicas), nodes: nodes === '3' ? 3 : 1, redisForm: redisFormOf(redis, nodes) };
}

type Value = string | boolean;

/** Without a value, an option is true. */
const textOf = (value: Value) => (typeof value === 'string' ? value : '');

function redisFormOf(value: Value | undefined, nodes: '1' | '3'): RedisForm {
  if (value === undefined) return 'sentinel';
  const form = redisForms.find((each) => each === value);
  if (!form) throw new LocalStackError(`--redis must be ${redisForms.join(' or ')}, not "${textOf(value)}".`);
  if (nodes === '1') throw new LocalStackError(`--redis ${form} needs --nodes 3.`);
  return form;
}

function replicasOf(list: readonly Value[] = []): Record<ServiceName, number> {
  const replicas = Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<ServiceName, number>;
  for (const entry of list.flatMap((value) => textOf(value).split(','))) {
    const [name, count] = entry.split('=');
    const known = serviceNames.find((service) => service === name);
    if (!known || !/^\d+$/.test(count ?? '') || Number(count) < 1 || Number(count) > maxReplicas) {
      throw new LocalStackError(
        `--replicas takes name=count pairs such as gateway=2,metering=2, with names of ${serviceNames.join(', ')} and counts from 1 to ${maxReplicas}; "${entry}" is not one.`,
      );
    }
    replicas[known] = Number(count);
  }
  return replicas;
}
