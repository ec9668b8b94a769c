import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hourMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/config';

/** The extent of the check, and the ports and folders of its system. */
export interface ApiCheckSettings {
  /** Decides every generated request. The same seed gives the same requests. */
  seed: number;
  /** Generated requests per operation, in addition to the cases from bounds and examples of the contract. */
  examplesPerOperation: number;
  /** Fewer cases are a problem, because a small check finds little. */
  minCases: number;
  minServedCases: number;
  /** Of the cases that a scenario of the coverage phase has for a parameter, the first and each nth are sent. */
  scenarioStep: number;
  /** The same for values of a wrong type, which have the most cases. */
  wrongTypeStep: number;
  /** Generated GraphQL documents per field of Query and key. */
  documentsPerField: number;
  phases: string;
  /** A filter of operations, in the syntax of schemathesis. An empty filter selects all operations. */
  operations: string;
  /** Time limit of a run, which fails at the limit. A busy machine does not reach it. */
  timeoutMs: number;
  stateDir: string;
  cacheDir: string;
  portBase: number;
}

const full = {
  examplesPerOperation: 200,
  minCases: 10_000,
  minServedCases: 1_500,
  scenarioStep: 1,
  wrongTypeStep: 1,
  documentsPerField: 500,
  phases: 'examples,coverage,fuzzing,stateful',
  operations: '',
};
// Announced operations have one common handler and are three quarters of the cases. Only the full run tests them. The short run has every
// served operation, parameter and scenario.
const short = {
  examplesPerOperation: 3,
  minCases: 300,
  minServedCases: 300,
  scenarioStep: 4,
  wrongTypeStep: 40,
  documentsPerField: 20,
  phases: 'examples,coverage,fuzzing',
  operations: '/x-served == true',
};

/** `--short` for continuous integration, `--seed N` for other requests. Throws for unknown options. */
export function readApiCheckSettings(env: Environment, args: string[]): ApiCheckSettings {
  const options = { short: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } } as const;
  const { values } = parseArgs({ args, options });
  const localDir = resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  return {
    ...(values.short ? short : full),
    seed: wholeNumber('--seed', values.seed, 2 ** 31),
    timeoutMs: values.short ? 600_000 : hourMs,
    stateDir: resolve(localDir, 'checks'),
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${localDir}/cache`),
    portBase: wholeNumber('CHECK_PORT_BASE', env.CHECK_PORT_BASE ?? '25080', 65_235),
  };
}

function wholeNumber(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max) throw new Error(`${name} must be a whole number up to ${max}`);
  return Number(text);
}
