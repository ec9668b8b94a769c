import type { Option } from 'commander';
import type { Command } from '../command.ts';
import { lineOf } from '../command-line.ts';
import { UsageError } from '../exit-codes.ts';
import { write } from '../terminal.ts';

/** A command as the scripts complete it. */
interface Completed extends Pick<Command, 'completes'> {
  name: string;
  summary: string;
  options: readonly Option[];
}

export default {
  summary: 'Prints the completion for a shell.',
  usage: 'bash|zsh|fish',
  notes: 'In zsh, load it after compinit.',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/shopscope',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/shopscope.fish',
  ],
  positionals: '<SHELL>',
  completes: ['bash', 'zsh', 'fish'],
  async run({ terminal, commands, positionals: [shell = ''] }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined) throw new UsageError('The shells are bash, zsh and fish.');
    const completed = Object.entries(commands).map(async ([name, { summary, load }]): Promise<Completed> => {
      const command = (await load()).default;
      const line = lineOf(name, command, []);
      const options = line.createHelp().visibleOptions(line);
      return { name, summary, options, ...(command.completes && { completes: command.completes }) };
    });
    await write(terminal.stdout, script(await Promise.all(completed)));
  },
} satisfies Command;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Words in the place of a positional, after the options. */
const wordsOf = ({ options, completes = [] }: Completed) => [
  ...options.map((option) => `--${option.name()}`),
  ...(completes === 'files' ? [] : completes),
];

const bash = (commands: Completed[]) => `_shopscope() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word")); return; fi
  case \${COMP_WORDS[1]} in
${commands
  .map((each) => {
    const files = each.completes === 'files' ? ' compopt -o default;' : '';
    return `    ${each.name})${files} COMPREPLY=($(compgen -W "${wordsOf(each).join(' ')}" -- "$word")) ;;\n`;
  })
  .join('')}  esac
}
complete -F _shopscope shopscope
`;

/** In zsh a colon separates a word from its description. */
const described = (word: string, text: string) => quoted(`${word}:${text.replaceAll(':', '\\:')}`);

const zsh = (commands: Completed[]) => `_shopscope() {
  local -a words_of_shopscope
  if (( CURRENT == 2 )); then
    words_of_shopscope=(${commands.map(({ name, summary }) => described(name, summary)).join(' ')})
    _describe command words_of_shopscope
    return
  fi
  case \${words[2]} in
${commands
  .map(({ name, options, completes = [] }) => {
    const words = options.map((option) => described(`--${option.name()}`, option.description)).join(' ');
    const rest = completes === 'files' ? ' _files;' : completes.length > 0 ? ` compadd -- ${completes.join(' ')};` : '';
    return `    ${name}) words_of_shopscope=(${words}); _describe -o option words_of_shopscope;${rest} ;;\n`;
  })
  .join('')}  esac
}
compdef _shopscope shopscope
`;

const fish = (commands: Completed[]) =>
  commands
    .flatMap(({ name, summary, options, completes = [] }) => {
      const of = `complete -c shopscope -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c shopscope -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
        ...(completes === 'files'
          ? []
          : [`${of} -f${completes.length > 0 ? ` -a ${quoted(completes.join(' '))}` : ''}`]),
        ...options.map((option) => {
          const short = option.short && `-s ${option.short.slice(1)}`;
          const words = [of, `-l ${option.name()}`, short, option.required && '-r', `-d ${quoted(option.description)}`];
          return words.filter(Boolean).join(' ');
        }),
      ];
    })
    .join('\n')
    .concat('\n');

const scripts: Record<string, (commands: Completed[]) => string> = { bash, zsh, fish };
