import { cpSync, rmSync } from 'node:fs';

/** Copies the guides of the documentation into the package, which serves them as resources. */
const [from, to] = ['../../../docs/guides/', '../dist/guides/'].map((path) => new URL(path, import.meta.url));
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
