import type { Command } from '../command.ts';
import { auditCommands } from './audit.ts';
import { corpusCommands } from './corpus.ts';
import { keyCommands } from './key.ts';
import { optOutCommands } from './opt-out.ts';
import { pepperCommands } from './pepper.ts';
import { personCommands } from './person.ts';
import { planCommands } from './plan.ts';
import { scansCommands } from './scans.ts';
import { setupCommand } from './setup.ts';
import { topicsCommands } from './topics.ts';
import { workspaceCommands } from './workspace.ts';

export const commands: readonly Command[] = [
  setupCommand,
  ...workspaceCommands,
  ...keyCommands,
  ...personCommands,
  ...planCommands,
  ...pepperCommands,
  ...auditCommands,
  ...corpusCommands,
  ...optOutCommands,
  ...scansCommands,
  ...topicsCommands,
];
