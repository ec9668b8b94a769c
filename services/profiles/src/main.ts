import { runService } from '@shopscope/lifecycle';
import { loadConfig } from './config.ts';
import { migration } from './migration.ts';
import { startProfiles } from './service.ts';

await runService({ name: 'profiles', loadConfig, start: startProfiles, migration });
