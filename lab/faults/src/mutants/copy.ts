import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const copied = ['package.json', 'services', 'libs', 'packages', 'proto', 'deploy', 'docs', 'lab', 'tools'];
const excluded = ['node_modules', 'dist', '.turbo', '.local'];

/** Copies the checkout and applies the patch. The packages of the copy use its own sources. Throws if the patch does not apply. */
export function patchedCopy(root: string, copy: string, patch: string): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(join(copy, 'node_modules'), { recursive: true });
  for (const name of copied) {
    const filter = (path: string) => !excluded.includes(basename(path));
    cpSync(join(root, name), join(copy, name), { recursive: true, filter });
  }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    // The links of the workspace are relative, so their copies lead to packages of the copy.
    if (name === '@shopscope') {
      const options = { recursive: true, verbatimSymlinks: true };
      cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), options);
    } else symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  // A version that only one package of the workspace uses is in the node_modules of that package.
  for (const name of globSync('{services,libs,packages,lab,tools}/*/node_modules', { cwd: root })) {
    symlinkSync(join(root, name), join(copy, name));
  }
  execFileSync('git', ['apply', '--whitespace=nowarn', patch], { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] });
}
