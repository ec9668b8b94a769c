import { LocalStackError } from './error.ts';
import { run } from './run.ts';

/** Without the optimizing compiler, whose work pays only in a long life. The start takes half of the CPU, and a run of tests two thirds. */
export const quickStart = ['-XX:TieredStopAtLevel=1'];

/** Resolves to the version of Java. `urlVariable` has the address of a running server, which needs no Java. */
export async function requireJava(product: string, urlVariable: string): Promise<string> {
  // `java -version` writes to standard error, `--version` (from Java 9 on) to standard output.
  const output = await run('java', ['--version'], { timeoutMs: 15_000 }).catch(() => '');
  const version = /^\S+ (\d[\w.+-]*)/.exec(output)?.[1] ?? '0';
  const major = Number.parseInt(version, 10);
  if (major >= 17) return version;
  const found = major === 0 ? 'none was found' : `version ${major} was found`;
  throw new LocalStackError(
    `${product} needs a JDK of version 17 or newer on PATH and ${found}; install one, or set ${urlVariable}.`,
  );
}
