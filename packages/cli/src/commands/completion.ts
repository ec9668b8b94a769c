import { type Command, type Commands, toParseArgs } from '../command.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { write } from '../terminal.ts';

const command: Command = {
  summary: 'Prints the completion for a shell.',
  usage: 'bash|zsh|fish',
  examples: ['completion bash > ~/.local/share/bash-completion/completions/shopscope'],
  positionals: { min: 1, max: 1 },
  async run({ terminal, commands, positionals: [shell = ''] }) {
    const options = new Map<string, string[]>();
    for (const [name, { load }] of Object.entries(commands)) {
      const names = Object.keys(toParseArgs((await load()).default.options));
      options.set(
        name,
        [...names, 'json', 'help'].map((option) => `--${option}`),
      );
    }
    const script = scripts[shell]?.(options, commands);
    if (script === undefined) throw new UsageError('The shells are bash, zsh and fish.');
    await write(terminal.stdout, script);
    return exitCodes.ok;
  },
};
export default command;

const bash = (options: Map<string, string[]>) => `_shopscope() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${[...options.keys()].join(' ')}" -- "$word")); return; fi
  case \${COMP_WORDS[1]} in
${[...options].map(([name, names]) => `    ${name}) COMPREPLY=($(compgen -W "${names.join(' ')}" -f -- "$word")) ;;`).join('\n')}
  esac
}
complete -F _shopscope shopscope
`;

const scripts: Record<string, (options: Map<string, string[]>, commands: Commands) => string> = {
  bash,
  zsh: (options) => `autoload -U +X bashcompinit && bashcompinit\n${bash(options)}`,
  fish: (options, commands) =>
    [...options]
      .flatMap(([name, names]) => [
        `complete -c shopscope -n __fish_use_subcommand -f -a ${name} -d '${commands[name]?.summary}'`,
        ...names.map(
          (option) => `complete -c shopscope -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
        ),
      ])
      .join('\n')
      .concat('\n'),
};
