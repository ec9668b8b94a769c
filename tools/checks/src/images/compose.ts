import { parse } from 'yaml';

/** The checked members of a service in a Compose file. */
export interface ComposeService {
  image?: string;
  build?: { context: string; dockerfile: string; args: { PACKAGE: string } };
  environment?: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  profiles?: string[];
  restart?: string;
  mem_limit?: string;
  user?: string;
  ports?: string[];
  volumes?: string[];
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes?: Record<string, unknown>;
}

/** Reads a Compose file and replaces its variables by `env` or by their defaults in the file. */
export function readCompose(text: string, env: Readonly<Record<string, string>> = {}): ComposeFile {
  const file = parse(text, { merge: true }) as ComposeFile;
  return replaceVariables(file, env) as ComposeFile;
}

function replaceVariables(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((each) => replaceVariables(each, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceVariables(member, env)]));
}

/** `$$` is a dollar sign. Only the form `${NAME:-default}` is accepted, because a variable without a default may be missing. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:(\$)|\{(\w+):-([^}]*)\}|)/g, (found, dollar, name, fallback) => {
    if (dollar) return '$';
    if (!name) throw new Error(`"${text}": a variable needs a default, as in \${NAME:-default} (found ${found})`);
    return env[name] || fallback;
  });
}

/** The environment of a service as texts, as a process gets it. */
export const environmentOf = (service: ComposeService): Record<string, string> =>
  Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, String(value)]));

export const imagePackages = ({ services }: ComposeFile): string[] => [
  ...new Set(Object.values(services).flatMap(({ build }) => (build ? [build.args.PACKAGE] : []))),
];
