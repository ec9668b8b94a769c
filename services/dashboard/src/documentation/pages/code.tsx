import type { ReactNode } from 'react';
import { curlOf, type SampleLanguage, sampleLanguages } from '../domain/request-samples.ts';

/** Code or a response to copy. `label` is unique on the page; `title` is shown. */
export function Code(props: { id: string; label: string; title?: string; language: string; text: string }) {
  const { id, label, title, language, text } = props;
  return (
    <figure className="grid min-w-0 rounded-[6px] border bg-sunken">
      <figcaption className="flex items-center justify-between gap-4 border-b px-3 py-1 text-sm text-quiet">
        <span className="min-w-0 truncate">{title ?? label}</span>
        <CopyButton copies={id} label={label} />
      </figcaption>
      <CodeText id={id} language={language} text={text} />
    </figure>
  );
}

/** A request with a key, as a shell command. */
export function Curl(props: { id: string; label: string; apiUrl: string; path: string; post?: object }) {
  const { id, label, apiUrl, path, post } = props;
  const request = { method: post ? 'POST' : 'GET', path, body: post && JSON.stringify(post) };
  return (
    <div className="max-w-[860px]">
      <Code id={id} label={label} language="sh" text={curlOf(request, { apiUrl, needsKey: true })} />
    </div>
  );
}

/** One request in several languages. Radio buttons choose one, even without script. With script, the choice applies to the page. */
export function Sample(props: {
  id: string;
  label: string;
  codes: readonly { language: SampleLanguage; text: string }[];
}) {
  const { id, label, codes } = props;
  const [only] = codes;
  if (codes.length === 1 && only) {
    return <Code id={id} label={label} title={sampleLanguages[only.language]} {...only} />;
  }
  return (
    <fieldset className="sample relative grid min-w-0 rounded-[6px] border bg-sunken">
      <legend className="sr-only">Language: {label}</legend>
      <div className="flex flex-wrap items-center gap-x-4 border-b px-3">
        {codes.map(({ language }, n) => (
          <label key={language} className="sample-tab">
            <input
              type="radio"
              name={id}
              value={language}
              data-language={language}
              defaultChecked={n === 0}
              className="sr-only"
            />
            {sampleLanguages[language]}
          </label>
        ))}
      </div>
      {codes.map(({ language, text }) => (
        <figure key={language} data-panel={language} className="grid min-w-0">
          <figcaption className="sample-caption flex items-center justify-between gap-4 px-3 pt-1 text-sm text-quiet">
            <span>
              {label}, {sampleLanguages[language]}
            </span>
            <CopyButton copies={`${id}-${language}`} label={`${label}, ${sampleLanguages[language]}`} />
          </figcaption>
          <CodeText id={`${id}-${language}`} language={language} text={text} />
        </figure>
      ))}
    </fieldset>
  );
}

/** Code that scrolls in its own box. */
export const CodeText = ({ id, language, text }: { id: string; language: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls has to be reachable by keyboard.
  <pre id={id} tabIndex={0} className="max-h-[480px] overflow-auto px-3 py-3 font-mono text-[13px]">
    {highlighted(language, text)}
  </pre>
);

const CopyButton = ({ copies, label }: { copies: string; label: string }) => (
  <button
    type="button"
    data-copies={copies}
    aria-label={`Copy: ${label}`}
    className="h-10 shrink-0 rounded px-2 font-medium text-quiet hover:bg-page hover:text-text md:h-8"
  >
    <span aria-live="polite">Copy</span>
  </button>
);

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

/** Colours comments, texts and keywords of a language. Other languages are shown without colours. */
function highlighted(language: string, text: string): ReactNode {
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

/** The method and path of an operation. */
export const MethodAndPath = ({ method, path }: { method: string; path: string }) => (
  <code className="font-mono text-[13px] [overflow-wrap:anywhere]">
    <span className="mr-2 font-semibold">{method}</span>
    {path}
  </code>
);
