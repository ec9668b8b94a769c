import { builtinModules } from 'node:module';

const builtins = new Set(builtinModules);
/** A statement at the start of a line, or a call: what a formatter that leaves one statement a line makes enough. */
const statement = /^(?:import|export)\b[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm;
const call = /\b(?:import|require|mock|importActual)\(\s*['"]([^'"\n]+)['"]/g;
/** A package of which only the files are read. */
const located = /\bresolve\(\s*['"]([^'"\n]+)\/package\.json['"]/g;

/** The packages that a source text imports, by their names: no paths below them, no files, nothing of Node's own. */
export function importedPackages(source: string): Set<string> {
  const names = new Set<string>();
  // A program that a test writes down as text imports nothing.
  const code = source.replace(/`[^`]*`/g, '``');
  const all = [...source.matchAll(statement), ...code.matchAll(call), ...code.matchAll(located)];
  for (const found of all) {
    const name = packageOf(found[1] ?? found[2] ?? '');
    if (name) names.add(name);
  }
  return names;
}

/** `@scope/name/below` → `@scope/name`; undefined for a file, a builtin, or what is no package's name. */
function packageOf(specifier: string): string | undefined {
  const [name] = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*/.exec(specifier) ?? [];
  if (!name || specifier.includes(':') || builtins.has(name)) return undefined;
  return name;
}
