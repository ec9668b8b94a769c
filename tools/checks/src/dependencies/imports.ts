import { builtinModules } from 'node:module';

const builtins = new Set(builtinModules);
/** A statement at the start of a line, or a call. This is sufficient, because the formatter writes one statement per line. */
const statement = /^(?:import|export)\b[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^@?import\s+['"]([^'"]+)['"]/gm;
const call = /\b(?:import|require|mock|importActual)\(\s*['"]([^'"\n]+)['"]/g;
/** A package whose files are only read. */
const located = /\bresolve\(\s*['"]([^'"\n]+)\/package\.json['"]/g;

/** Names of the packages that a source text imports, without subpaths, files and built-in modules. */
export function importedPackages(source: string): Set<string> {
  const names = new Set<string>();
  // Imports inside of template strings of tests do not count.
  const code = source.replace(/`[^`]*`/g, '``');
  const all = [...source.matchAll(statement), ...code.matchAll(call), ...code.matchAll(located)];
  for (const found of all) {
    const name = packageOf(found[1] ?? found[2] ?? '');
    if (name) names.add(name);
  }
  return names;
}

/** `@scope/name/below` → `@scope/name`; undefined for a file, a built-in module or an invalid name. */
function packageOf(specifier: string): string | undefined {
  const [name] = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*/.exec(specifier) ?? [];
  if (!name || specifier.includes(':') || builtins.has(name)) return undefined;
  return name;
}
