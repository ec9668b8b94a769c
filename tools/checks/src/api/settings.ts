import { resolve } from 'node:path';

/** How much is asked of the API, and where it runs meanwhile. */
export interface CheckSettings {
  /** Decides every generated request: the same seed asks the same questions. */
  seed: number;
  /** Generated per operation, beside the cases that the contract's own bounds and examples give. */
  examplesPerOperation: number;
  /** Fewer than these cases are a fault: a check that asks little finds little. */
  casesMin: number;
  /** Of these, answers of operations that are served. */
  servedCasesMin: number;
  phases: string;
  /** Which operations, as schemathesis filters them; all when empty. */
  operations: string;
  /** Above it the run is ended and fails. Far from what it takes: a busy machine is no finding. */
  timeoutMs: number;
  stateDir: string;
  cacheDir: string;
  portBase: number;
}

const full = {
  examplesPerOperation: 200,
  casesMin: 10_000,
  servedCasesMin: 1_500,
  phases: 'examples,coverage,fuzzing,stateful',
  operations: '',
};
// What is announced has one handler and is three quarters of the cases: left to the full run.
const short = {
  examplesPerOperation: 10,
  casesMin: 300,
  servedCasesMin: 300,
  phases: 'examples,coverage,fuzzing',
  operations: '/x-served == true',
};

/** `--short` for continuous integration, `--seed N` for other questions. Throws naming what it does not know. */
export function checkSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): CheckSettings {
  const rest = [...argv];
  let size = full;
  let seed = 1;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--short') size = short;
    else if (word === '--seed') seed = wholeNumber('--seed', rest.shift(), 2 ** 31);
    else throw new Error(`There is no option "${word}"; there are --short and --seed N.`);
  }
  const localDir = resolve(env.SHOPSCOPE_LOCAL_DIR ?? '.local');
  return {
    ...size,
    seed,
    timeoutMs: size === short ? 600_000 : 3_600_000,
    stateDir: resolve(localDir, 'checks'),
    cacheDir: resolve(env.SHOPSCOPE_CACHE_DIR ?? `${localDir}/cache`),
    portBase: wholeNumber('CHECK_PORT_BASE', env.CHECK_PORT_BASE ?? '25080', 65_235),
  };
}

function wholeNumber(name: string, text: string | undefined, max: number): number {
  const value = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || value > max)
    throw new Error(`${name} must be a whole number up to ${max}`);
  return value;
}
