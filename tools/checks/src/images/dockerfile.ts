/** One instruction of a Dockerfile, in the forms that the replay can carry out. */
export type Instruction = { line: number } & (
  | { name: 'COPY'; from: string | undefined; sources: string[]; destination: string }
  | { name: 'RUN'; command: string }
  | { name: 'WORKDIR' | 'USER'; value: string }
  | { name: 'ENV'; variable: string; value: string }
  | { name: 'ARG'; variable: string; value: string | undefined }
  | { name: 'ENTRYPOINT'; command: string[] }
);

export interface Stage {
  name: string;
  base: string;
  instructions: Instruction[];
}

export class DockerfileError extends Error {
  constructor(line: number, problem: string) {
    super(`Dockerfile, line ${line}: ${problem}`);
    this.name = 'DockerfileError';
  }
}

/**
 * Parses the stages of a Dockerfile. An instruction, flag or path that the replay cannot carry out like Docker is an
 * error, because a check that skips a step proves nothing.
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const { line, words } of logicalLines(text)) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(words) ?? [];
    const stage = stages.at(-1);
    if (name === 'FROM') {
      stages.push(stageOf(line, rest, stages));
    } else if (stage) {
      stage.instructions.push(instructionOf(line, name, rest, stages));
    } else if (name !== 'ARG') {
      throw new DockerfileError(line, `${name || words} before the first FROM`);
    }
  }
  if (stages.length === 0) throw new DockerfileError(1, 'the file has no stage');
  return stages;
}

/** Lines joined with their continuations, without comments. */
function logicalLines(text: string): { line: number; words: string }[] {
  const lines: { line: number; words: string }[] = [];
  let open: { line: number; words: string } | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const continues = /\\\s*$/.test(raw);
    const words = raw.replace(/\\\s*$/, '').trim();
    if (open) open.words += ` ${words}`;
    else open = { line: index + 1, words };
    if (continues) continue;
    lines.push(open);
    open = undefined;
  }
  if (open) lines.push(open);
  return lines;
}

function stageOf(line: number, rest: string, earlier: readonly Stage[]): Stage {
  // A replay supports only the platform of the builder.
  const [, base, name] = /^(?:--platform=\$BUILDPLATFORM\s+)?([^\s-]\S*)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
  if (!base) throw new DockerfileError(line, `FROM ${rest} cannot be replayed`);
  if (earlier.some((stage) => stage.name === base)) {
    throw new DockerfileError(line, `a stage that starts from the stage ${base} cannot be replayed`);
  }
  return { name: name ?? String(earlier.length), base, instructions: [] };
}

function instructionOf(line: number, name: string, rest: string, stages: readonly Stage[]): Instruction {
  const refuse = (problem: string): never => {
    throw new DockerfileError(line, problem);
  };
  switch (name) {
    case 'COPY': {
      const words = rest.split(/\s+/);
      const flags = words.filter((word) => word.startsWith('--'));
      const paths = words.filter((word) => !word.startsWith('--'));
      const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length);
      const unknown = flags.find((flag) => !flag.startsWith('--from='));
      if (unknown) refuse(`COPY ${unknown} cannot be replayed`);
      if (from && !stages.slice(0, -1).some((stage) => stage.name === from))
        refuse(`there is no earlier stage ${from}`);
      if (paths.length < 2 || paths.some((path) => /[*?[\]]/.test(path))) refuse(`COPY ${rest} cannot be replayed`);
      return { line, name, from, sources: paths.slice(0, -1), destination: paths.at(-1) as string };
    }
    case 'RUN':
      // The replay has no root file system. A relative path stays below the folder of the stage.
      if (/^(--|\[)/.test(rest)) refuse(`RUN ${rest} cannot be replayed`);
      if (/(^|[\s"'=(:>])[/~](?!dev\/null)/.test(rest)) refuse('RUN with an absolute path cannot be replayed');
      return { line, name, command: rest };
    case 'WORKDIR':
    case 'USER':
      return { line, name, value: rest };
    case 'ENV':
    case 'ARG': {
      const [, variable, value] = /^(\w+)(?:=(\S*))?$/.exec(rest) ?? [];
      if (!variable || (name === 'ENV' && value === undefined)) return refuse(`${name} ${rest} cannot be replayed`);
      return name === 'ENV' ? { line, name, variable, value: value as string } : { line, name, variable, value };
    }
    case 'ENTRYPOINT': {
      // In the shell form the shell is process 1, and SIGTERM does not reach the program.
      if (!rest.startsWith('[')) refuse('ENTRYPOINT must be a JSON array');
      return { line, name, command: JSON.parse(rest) };
    }
    default:
      return refuse(`${name} cannot be replayed`);
  }
}

/** Replaces `$NAME` and `${NAME}`; an unknown name is empty, as in Docker. */
export const expand = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, bare) => variables[braced ?? bare] ?? '');
