import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import dockerignore, { type Ignore } from '@balena/dockerignore';
import { expand, type Instruction, parseDockerfile, type Stage } from './dockerfile.ts';

/**
 * Carries out a Dockerfile without Docker.
 *
 * - Each stage has a folder outside of the checkout, so that Node does not find packages of the checkout.
 * - Instructions before `ARG` of the build argument run once and are copied for every value, like Docker's layer cache.
 * - Not replayed: base images and users. Commands run with this machine's Node and as this user.
 */
export interface ReplayOptions {
  context: string;
  dockerfile: string;
  dockerignore: string;
  /** The build argument that differs between the images. */
  argument: string;
  env?: NodeJS.ProcessEnv;
}

export interface Image {
  /** Folder that represents the root of the image. */
  root: string;
  workingDirectory: string;
  env: Readonly<Record<string, string>>;
  entrypoint: readonly string[];
  user: string | undefined;
  /** Folders of the stages of this build, including shared ones. */
  stageRoots: readonly string[];
}

export type Replay = ReturnType<typeof createReplay>;

interface State {
  root: string;
  workingDirectory: string;
  env: Record<string, string>;
  args: Record<string, string>;
  entrypoint: string[];
  user: string | undefined;
}

const run = promisify(execFile);
const stepTimeoutMs = 300_000;
/** Variables of this machine that a step gets: settings of the registry, without the variables of npm scripts. */
const passed =
  /^(HOME|LANG|TMPDIR|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|npm_config_(registry|cache|userconfig))$/i;

export function createReplay(options: ReplayOptions) {
  const stages = parseDockerfile(options.dockerfile);
  const ignored = dockerignore.default().add(options.dockerignore);
  const work = mkdtempSync(join(tmpdir(), 'images-'));
  const machine = machineEnv(options.env ?? process.env, join(work, 'bin'), join(work, 'turbo'));
  const shared = new Map<string, Promise<State>>();
  const folderOf = (value: string) => join(work, 'images', value.replaceAll('/', '+'));

  const carryOut = async (state: State, stage: Stage, from: number, to: number, rootOf: (name: string) => string) => {
    for (const instruction of stage.instructions.slice(from, to)) {
      const step = { instruction, state, context: options.context, ignored, rootOf, machine };
      await carryOutStep(step).catch((error: Error & { stdout?: string; stderr?: string }) => {
        const said = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message;
        throw new Error(`Dockerfile, line ${instruction.line}, stage ${stage.name}:\n${said}`, { cause: error });
      });
    }
  };
  const sharedLength = ({ instructions }: Stage) => {
    const index = instructions.findIndex((each) => each.name === 'ARG' && each.variable === options.argument);
    return index < 0 ? instructions.length : index;
  };
  const sharedState = (stage: Stage): Promise<State> => {
    const known = shared.get(stage.name);
    if (known) return known;
    const root = join(work, 'shared', stage.name);
    mkdirSync(root, { recursive: true });
    const state: State = { root, workingDirectory: '/', env: {}, args: {}, entrypoint: [], user: undefined };
    const rootOf = (name: string) => {
      const other = stages.find((each) => each.name === name);
      if (!other || sharedLength(other) < other.instructions.length) throw new Error(`the stage ${name} is not shared`);
      return join(work, 'shared', name);
    };
    const made = carryOut(state, stage, 0, sharedLength(stage), rootOf).then(() => state);
    shared.set(stage.name, made);
    return made;
  };

  return {
    async build(value: string): Promise<Image> {
      const folder = folderOf(value);
      const stageRoots: string[] = [];
      let state: State | undefined;
      for (const stage of stages) {
        const start = await sharedState(stage);
        const isShared = sharedLength(stage) === stage.instructions.length;
        state = isShared ? start : { ...start, env: { ...start.env }, args: { ...start.args } };
        if (!isShared) state.root = join(folder, stage.name);
        stageRoots.push(state.root);
        if (isShared) continue;
        copyLayer(start.root, state.root);
        state.args[options.argument] = value;
        const rootOf = (name: string) => {
          const own = join(folder, name);
          return existsSync(own) ? own : join(work, 'shared', name);
        };
        await carryOut(state, stage, sharedLength(stage), stage.instructions.length, rootOf);
      }
      const { root, workingDirectory, env, entrypoint, user } = state as State;
      return { root, workingDirectory, env, entrypoint, user, stageRoots };
    },
    /** Removes the earlier stages of a build. The image and shared layers stay. */
    dropStages(value: string) {
      for (const { name } of stages.slice(0, -1)) rmSync(join(folderOf(value), name), { recursive: true, force: true });
    },
    close: () => rmSync(work, { recursive: true, force: true }),
  };
}

/**
 * PATH has this process's Node, npm and the programs of the system, and nothing of the checkout. turbo caches builds of
 * equal inputs for the next image; Docker would build them again.
 */
function machineEnv(env: NodeJS.ProcessEnv, bin: string, turboCache: string): NodeJS.ProcessEnv {
  const path = (env.PATH ?? '').split(':').filter((each) => each !== '' && !each.includes('node_modules'));
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  const kept = Object.entries(env).filter(([name]) => passed.test(name));
  const own = {
    PATH: [bin, ...path].join(':'),
    CI: 'true',
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_CACHE_DIR: turboCache,
  };
  return { ...Object.fromEntries(kept), ...own };
}

/**
 * A copy of a layer for further steps. Installed packages become symbolic links to the layer, because they are many and
 * no step edits them in place: npm removes the links and installs again.
 */
function copyLayer(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) copyFileSync(source, target);
    else if (isInstalled(source)) symlinkSync(source, target);
    else copyLayer(source, target);
  }
}

const isInstalled = (folder: string): boolean =>
  /\/node_modules\/(@[^/]+\/)?[^@./][^/]*$/.test(folder) && existsSync(join(folder, 'package.json'));

interface Step {
  instruction: Instruction;
  state: State;
  context: string;
  ignored: Ignore;
  rootOf(stage: string): string;
  machine: NodeJS.ProcessEnv;
}

async function carryOutStep({ instruction, state, context, ignored, rootOf, machine }: Step): Promise<void> {
  const variables = { ...state.args, ...state.env };
  /** A path of the image, absolute or below the working directory, as a path of this machine. */
  const pathOf = (path: string) => join(state.root, resolve(state.workingDirectory, expand(path, variables)));
  switch (instruction.name) {
    case 'ARG':
      if (instruction.value !== undefined) state.args[instruction.variable] ??= expand(instruction.value, variables);
      return;
    case 'ENV':
      state.env[instruction.variable] = expand(instruction.value, variables);
      return;
    case 'USER':
      state.user = expand(instruction.value, variables);
      return;
    case 'ENTRYPOINT':
      state.entrypoint = instruction.command;
      return;
    case 'WORKDIR':
      state.workingDirectory = resolve(state.workingDirectory, expand(instruction.value, variables));
      mkdirSync(join(state.root, state.workingDirectory), { recursive: true });
      return;
    case 'RUN': {
      const cwd = join(state.root, state.workingDirectory);
      const env = { ...machine, ...variables };
      await run('/bin/sh', ['-c', instruction.command], { cwd, env, timeout: stepTimeoutMs, maxBuffer: 10_000_000 });
      return;
    }
    case 'COPY': {
      const { from, sources, destination } = instruction;
      const root = from === undefined ? context : rootOf(from);
      const isFolder = sources.length > 1 || /(^|\/)\.?$/.test(destination);
      for (const source of sources.map((each) => join(root, expand(each, variables)))) {
        const filter = (path: string) =>
          from !== undefined || path === context || !ignored.ignores(relative(context, path));
        const file = !statSync(source).isDirectory();
        const target = file && isFolder ? join(pathOf(destination), basename(source)) : pathOf(destination);
        cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
      }
      return;
    }
  }
}
