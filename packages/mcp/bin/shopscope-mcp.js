#!/usr/bin/env node
import { existsSync } from 'node:fs';
import * as module from 'node:module';

// A clone runs the sources, so nothing has to be built. The published package has the built program only.
const source = new URL('../src/main.ts', import.meta.url);
if (!existsSync(source)) await import('../dist/main.js');
else if (module.registerHooks && process.features.typescript) {
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, '@shopscope/source'] }),
  });
  module.enableCompileCache();
  await import(source.href);
} else {
  process.stderr.write('shopscope-mcp: in a clone, run it by npx, which uses the Node of the repository.\n');
  process.exitCode = 2;
}
