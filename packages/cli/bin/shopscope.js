#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A clone runs the sources, so nothing has to be built. The published package has the built program only.
const source = new URL('../src/main.ts', import.meta.url);
if (!existsSync(source)) await import('../dist/main.js');
else await import('../../../tools/local/run-sources.mjs').then(({ runSources }) => runSources('shopscope', source));
