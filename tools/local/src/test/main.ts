import { join, resolve } from 'node:path';
import { runSuite } from './run-suite.ts';

// Continuous integration runs the tests with this program; `npm test` runs vitest itself.
const tags = process.env.SHOPSCOPE_NIGHTLY === 'true' ? [] : ['--tags-filter=!nightly'];
const root = resolve(import.meta.dirname, '../../../..');
process.exitCode = await runSuite({
  vitest: [...process.execArgv, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tags, ...process.argv.slice(2)],
  root,
  print: (line) => process.stdout.write(`${line}\n`),
});
