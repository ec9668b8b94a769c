import { writeFileSync } from 'node:fs';
import { sdl } from '../src/endpoints/graphql/schema.ts';

/** Writes docs/schema.graphql. */
writeFileSync(new URL('../../../docs/schema.graphql', import.meta.url), sdl);
