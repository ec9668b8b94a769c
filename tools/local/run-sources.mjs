// Uses only what every Node has, because an older one has to say that it is too old.
import * as module from 'node:module';

/** Runs a program and the workspace packages from their sources. */
export async function runSources(name, main) {
  if (!module.registerHooks || !process.features.typescript) {
    process.stderr.write(`${name}: in a clone, run it by npx, which uses the Node of the repository.\n`);
    process.exitCode = 2;
    return;
  }
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, '@shopscope/source'] }),
  });
  module.enableCompileCache();
  await import(main.href);
}
