import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ruleFiles } from './rule-files.ts';

/**
 * Writes the rule files of `src/data` from the tables of `data` and from the pinned rule data. Deterministic: the same data gives the same
 * bytes.
 *
 * - `--check`: writes nothing, and reports stale files.
 * - The data has a problem -> prints its file and line, writes nothing, and exits with code 1.
 */
const isCheck = process.argv.includes('--check');
const target = (name: string): URL => new URL(`../src/data/${name}`, import.meta.url);
const { outputs, problems, notes } = ruleFiles();

for (const { file, line, message } of problems) process.stderr.write(`${file}:${line}: ${message}\n`);
if (problems.length > 0) process.exitCode = 1;
else if (isCheck) {
  for (const { name, text } of outputs) {
    if (existsSync(target(name)) && readFileSync(target(name), 'utf8') === text) continue;
    process.stderr.write(`${name} is stale: npm run generate -w @shopscope/fingerprint\n`);
    process.exitCode = 1;
  }
} else {
  for (const { name, text } of outputs) writeFileSync(target(name), text);
  for (const note of notes) process.stdout.write(`${note}\n`);
}
