import type { ReactNode } from 'react';

const shell = 'for|do|done|if|then|fi|while|export|echo|curl|npm|npx|pip|jq';
const words: Record<string, string> = {
  ts: 'import|from|const|let|await|async|for|of|in|if|else|new|return|function|export|throw|try|catch|class|type|interface|null|true|false|undefined',
  python:
    'import|from|def|async|await|for|in|if|else|elif|with|as|return|raise|try|except|class|print|lambda|None|True|False|not|and|or|while|yield',
  sh: shell,
  shell,
  json: 'null|true|false',
  http: 'HTTP/\\d(?:\\.\\d)?|GET|POST|PATCH|DELETE',
};
const shellComment = '(?:^|\\s)#[^\\n]*';
const comments: Record<string, string> = { ts: '//[^\\n]*', python: '#[^\\n]*', sh: shellComment, shell: shellComment };
const strings = `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\``;

/** Comments, texts and words of a language in colours of their own. Other languages are shown as they are. */
export function highlighted(language: string, text: string): ReactNode {
  const known = words[language];
  if (known === undefined) return text;
  const comment = comments[language] ?? '(?!)';
  const pattern = new RegExp(
    `(?<comment>${comment})|(?<name>"(?:\\\\.|[^"\\\\])*"(?=\\s*:))|(?<text>${strings})|(?<word>\\b(?:${known})\\b)`,
    'gm',
  );
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { index, groups = {}, 0: found } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index));
    const color = groups.comment ? 'text-quiet' : groups.text ? 'text-ok' : 'text-series-3';
    parts.push(
      <span key={index} className={color}>
        {found}
      </span>,
    );
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}
