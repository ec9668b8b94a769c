import * as commander from 'commander';
import { UsageError } from './errors.ts';

/** The line of a command, or of the program with all commands. What is wrong with it is a UsageError. */
export class CommandLine extends commander.Command {
  constructor(words: string) {
    super(words);
    this.exitOverride();
  }

  override error(message: string, { code }: commander.ErrorOptions = {}): never {
    const [, named = ''] = /'(.*)'/s.exec(message) ?? [];
    const [, meant] = /\n\(Did you mean (.*)\?\)$/.exec(message) ?? [];
    if (code === 'commander.unknownCommand') throw new UsageError(this.#unknownCommand(named, meant));
    if (code === 'commander.unknownOption') throw new UsageError(this.#unknownOption(named, meant));
    if (code === 'commander.optionMissingArgument') throw new UsageError(`${named.split(' ')[0]} needs a value`);
    if (code === 'commander.missingArgument') throw new UsageError(`${named} is required`);
    if (code !== 'commander.excessArguments') throw new UsageError(message);
    throw new UsageError(`"${this.args[this.registeredArguments.length]}" is not an option of "${this.name()}"`);
  }

  #unknownCommand(typed: string, meant: string | undefined): string {
    const all = this.commands.map((line) => line.name());
    const group = all.filter((words) => words.startsWith(`${typed.split(' ')[0]} `));
    if (group.length > 0 && !typed.includes(' ')) return `"${typed}" needs one more word: one of ${group.join(', ')}`;
    const known = `there are ${(group.length > 0 ? group : all).join(', ')}`;
    return `there is no command "${typed}"; ${meant ? `did you mean "${meant}"?` : known}`;
  }

  #unknownOption(typed: string, meant: string | undefined): string {
    const known = this.createHelp()
      .visibleOptions(this)
      .map(({ long }) => long ?? '');
    const [flag = ''] = typed.split('=');
    if (flag !== typed && known.includes(flag)) return `${flag} takes no value`;
    const hint = meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`;
    return `"${this.name()}" has no option ${flag}; ${hint}`;
  }
}
