import { poll } from '../../wait.ts';

/** A process of a data server with several nodes. */
export interface ServerNode {
  name: string;
  /** The port for clients. */
  port: number;
}

/** A question to a server is not answered after this time, for example because the process is suspended. */
export const askTimeoutMs = 1_000;
/** No data server needs this long to recover. */
const recoveryTimeoutMs = 90_000;
const pollEveryMs = 50;

/** The bounds of a wait for the recovery of a server. */
const untilRecovery = { timeoutMs: recoveryTimeoutMs, everyMs: pollEveryMs };

export function nodeAt(nodes: readonly ServerNode[], port: number): ServerNode {
  const node = nodes.find((candidate) => candidate.port === port);
  if (!node) throw new Error(`no node of ${nodes.map(({ name }) => name).join(', ')} has the port ${port}`);
  return node;
}

export const others = (nodes: readonly ServerNode[], name: string): ServerNode[] =>
  nodes.filter((node) => node.name !== name);

/** Polls the server. Resolves to the instant of the first answer that is not undefined. */
export async function instantOf(what: string, ask: () => Promise<unknown>): Promise<number> {
  const answered = async () => ((await ask()) === undefined ? undefined : performance.now());
  const atMs = await poll(answered, untilRecovery);
  if (atMs === undefined) throw new Error(`${what}: not within ${recoveryTimeoutMs / 1_000} s`);
  return atMs;
}
