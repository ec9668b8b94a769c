/** The line that started a command. */
export interface Caller {
  /** Relative to the repository. */
  path: string;
  line: string;
}

const maxFrames = 100;
/** Frames of these files only pass a command on. */
const passing = [
  'node_modules/',
  'sharding/caller.ts',
  'sharding/listener.ts',
  'sharding/watch-commands.ts',
  'libs/mongo/src/',
];
const framePattern = /\(?(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/;

/** Returns the nearest line of the repository in a stack, or undefined if there is none: the promises of a library hide it. */
export function callerIn(stack: string, root: string): Caller | undefined {
  for (const frame of stack.split('\n')) {
    const [, path, line] = framePattern.exec(frame) ?? [];
    if (!path?.startsWith(root) || !line) continue;
    const relative = path.slice(root.length);
    if (!passing.some((part) => relative.includes(part))) return { path: relative, line };
  }
  return undefined;
}

/** Returns the stack with the callers that wait for a promise. */
export function currentStack(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = maxFrames;
  const { stack = '' } = new Error('stack');
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

const ignoredFolders = ['libs/testing/', 'lab/', 'tools/backup/'];

/** Tests, the laboratory, dumps and restores read databases directly, which no service does. A dump of a sharded cluster is refused. */
export const isIgnored = ({ path }: Caller): boolean =>
  path.includes('/test/') || path.endsWith('.test.ts') || ignoredFolders.some((folder) => path.startsWith(folder));

export const isService = ({ path }: Caller): boolean =>
  /^services\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts');
