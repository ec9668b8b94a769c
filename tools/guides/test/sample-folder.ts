import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folder as pythonFolder } from '../../../packages/client-python/test/python.ts';

/** The longest list of a sample is that of all technologies. */
const maxBuffer = 32 * 1024 * 1024;
export const run = (command: string, args: readonly string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(command, args, { ...options, maxBuffer, encoding: 'utf8' });
export const repository = resolve(import.meta.dirname, '../../..');

export type SampleFolder = ReturnType<typeof createSampleFolder>;

/** Creates a folder like the project of a user, with the packages that samples import. Samples are written to it, run and checked. */
export function createSampleFolder() {
  const path = mkdtempSync(join(tmpdir(), 'samples-'));
  mkdirSync(join(path, 'node_modules/@shopscope'), { recursive: true });
  symlinkSync(join(repository, 'packages/client'), join(path, 'node_modules/@shopscope/client'));
  mkdirSync(join(path, 'node_modules/@types'));
  for (const name of ['@modelcontextprotocol', '@types/express'])
    symlinkSync(join(repository, 'node_modules', name), join(path, 'node_modules', name));
  symlinkSync(dirname(fileURLToPath(import.meta.resolve('express/package.json'))), join(path, 'node_modules/express'));
  const commands = join(path, 'commands');
  mkdirSync(commands);
  const command = (name: string, line: string) =>
    writeFileSync(join(commands, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  command('npx', `exec "${join(repository, 'node_modules/.bin')}/$@"`);
  command('sleep', 'exec /bin/sleep 1');
  const written = new Set<string>();
  return {
    path,
    /** A folder for PATH, whose `npx` runs the commands of this repository without npm, and whose `sleep` takes one second. */
    commands,
    /** Variables with which Python and mypy find the client and the samples. */
    pythonPath: { PYTHONPATH: `${path}:${join(pythonFolder, 'src')}` },
    mypyPath: { MYPYPATH: join(pythonFolder, 'src') },
    write(name: string, text: string) {
      written.add(name);
      writeFileSync(join(path, name), text);
    },
    /** The names of the files that were written, with this ending. */
    written: (ending: string) => [...written].filter((name) => name.endsWith(ending)),
    /** Runs a sample without the variables of this process, except for the cache of compiled sources. */
    runTypeScript: (name: string, env: Record<string, string>) =>
      run(process.execPath, ['--conditions=@shopscope/source', name], {
        cwd: path,
        env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
      }),

    /** Compiles every `.mts` as one program. Rejects with the output of the compiler. */
    async checkTypeScript() {
      const compilerOptions = {
        noEmit: true,
        // The types of the SDK of the Model Context Protocol do not compile with this option.
        exactOptionalPropertyTypes: false,
        customConditions: ['@shopscope/source'],
        typeRoots: [join(repository, 'node_modules/@types')],
      };
      const config = { extends: join(repository, 'tsconfig.base.json'), compilerOptions, include: ['*.mts'] };
      writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(config));
      await run(join(repository, 'node_modules/.bin/tsc'), ['-p', path]).catch(({ stdout }) => {
        throw new Error(stdout);
      });
    },

    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
