import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';
import { UsageError } from './errors.ts';
import { findCommand, parse } from './program.ts';

const find = (line: string) => findCommand(commands, line.split(' '))?.words;
const read = (line: string) => parse(commands, line.split(' '), { print: () => {}, complain: () => {} });
const refusal = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('no error was thrown');
};

describe('command line', () => {
  it('a command line selects a command by one word or two', () => {
    expect(find('setup --workspace A')).toBe('setup');
    expect(find('plan set --plan free')).toBe('plan set');
  });

  it.each([
    ['workspce list', 'there is no command "workspce list"; did you mean "workspace list"?'],
    ['plan sett', 'there is no command "plan sett"; did you mean "plan set"?'],
    ['plan', '"plan" needs one more word: one of plan list, plan show, plan create, plan set, plan delete'],
    ['key frobnicate', 'there is no command "key frobnicate"; there are key create, key list, key show, key revoke'],
    ['frobnicate', expect.stringMatching(/^there is no command "frobnicate"; there are setup, workspace create, /)],
  ])('a command line with an unknown command fails with its name and the existing commands: %s', (line, message) => {
    expect(refusal(() => read(line))).toEqual(message);
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
    ['plan set --pln free', '"plan set" has no option --pln; did you mean --plan?'],
    ['opt-out add --reason x', 'SUBJECT is required'],
    ['opt-out add a b --reason x', '"b" is not an option of "opt-out add"'],
    ['--jsn plan list', '"npm run admin --" has no option --jsn; there are --help'],
  ])('a command line with an invalid option fails with its name: %s', (line, message) => {
    expect(refusal(() => read(line))).toBe(message);
  });

  it('a command line accepts values after a space or an equals sign', () => {
    const { command, values, operand } = read('plan set --plan free --rpm=5 --json --actor me');
    expect(command.words).toBe('plan set');
    expect(values).toEqual({ plan: 'free', rpm: '5', actor: 'me', json: true });
    expect(operand).toBe('');
  });

  it.each([
    'opt-out add shop.example --reason=--no',
    'opt-out add --reason=--no shop.example',
    'opt-out add --reason=--no -- shop.example',
  ])('a command line has its operand anywhere among its options: %s', (line) => {
    expect(read(line)).toMatchObject({ values: { reason: '--no' }, operand: 'shop.example' });
  });

  it('a command line has an operand that begins with a hyphen after --', () => {
    expect(read('corpus export -- -file')).toMatchObject({ operand: '-file' });
  });
});
