import { readFileSync, writeFileSync } from 'node:fs';
import { compileTechnologies } from './compile-technologies.ts';

/**
 * Writes `src/data/technologies.rules.json` from the pinned rule data. With `--check` it only reports a stale file, by
 * exit code 1. Deterministic: the same data gives the same bytes.
 */
const target = new URL('../src/data/technologies.rules.json', import.meta.url);
const { text, notes } = compileTechnologies();

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('technologies.rules.json is stale: npm run generate -w @shopscope/fingerprint\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
  for (const note of notes) process.stdout.write(`${note}\n`);
}
