import { compileTechnologies } from './compile-technologies.ts';
import { type Compiled, compileTables } from './data/compile.ts';

/** Every file that `generate` writes to `src/data`, and notes on the omitted parts of the imported data. */
export function ruleFiles(): Compiled & { notes: readonly string[] } {
  const { outputs, problems } = compileTables();
  // Compiling the imported data needs valid tables, too.
  if (problems.length > 0) return { outputs, problems, notes: [] };
  const { text, notes } = compileTechnologies();
  return { outputs: [...outputs, { name: 'imported.rules.json', text }], problems, notes };
}
