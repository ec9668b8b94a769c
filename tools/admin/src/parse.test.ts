import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';
import { UsageError } from './errors.ts';
import { findCommand, parseOptions } from './parse.ts';

const find = (line: string) => findCommand(commands, line.split(' ')).words;
const parse = (line: string) => {
  const args = line.split(' ');
  return parseOptions(findCommand(commands, args), args);
};
const refusal = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('no error was thrown');
};

describe('a command line', () => {
  it('selects a command by one word or two', () => {
    expect(find('setup --workspace A')).toBe('setup');
    expect(find('plan set --plan free')).toBe('plan set');
  });

  it.each([
    ['workspce list', 'there is no command "workspce list"; did you mean "workspace list"?'],
    ['plan sett', 'there is no command "plan sett"; did you mean "plan set"?'],
    ['plan', '"plan" needs one more word: one of plan list, plan show, plan create, plan set, plan delete'],
    ['key frobnicate', 'there is no command "key frobnicate"; there are key create, key list, key show, key revoke'],
    ['frobnicate', expect.stringMatching(/^there is no command "frobnicate"; there are setup, workspace create, /)],
  ])('with an unknown command fails with its name and the existing commands: %s', (line, message) => {
    expect(refusal(() => find(line))).toEqual(message);
  });

  it.each([
    ['plan set --plan free --rmp 5', '"plan set" has no option --rmp; did you mean --rpm?'],
    ['plan list --zzzz', '"plan list" has no option --zzzz; there are --actor, --json, --help'],
    ['plan list -x', '"plan list" has no option -x; there are --actor, --json, --help'],
    ['plan delete', '--plan SLUG is required'],
    ['plan delete --plan', '--plan needs a value'],
    ['plan delete --plan --json', '--plan needs a value'],
    ['plan delete --plan=', '--plan needs a value'],
    ['plan delete --plan a --plan b', '--plan is given twice'],
    ['plan delete --plan a b', '"b" is not an option of "plan delete"'],
    ['plan list --json=yes', '--json takes no value'],
  ])('with an invalid option fails with its name: %s', (line, message) => {
    expect(refusal(() => parse(line))).toBe(message);
  });

  it('accepts values after a space or an equals sign', () => {
    expect(parse('plan set --plan free --rpm=5 --json --actor me')).toEqual({
      values: { plan: 'free', rpm: '5', actor: 'me' },
      flags: new Set(['json']),
      operand: '',
    });
  });
});
