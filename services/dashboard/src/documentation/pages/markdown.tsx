import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { TextLink } from '../../app/components/button.tsx';
import type { GuideBlock } from '../domain/guide.ts';
import { decoded, textOf } from '../domain/inline-text.ts';
import { guideLinkOf } from '../domain/links.ts';
import { Code, Sample } from './code.tsx';

const languageNames: Record<string, string> = { json: 'JSON', http: 'HTTP', shell: 'Shell' };

/** The blocks of a guide. */
export function Markdown({ blocks }: { blocks: readonly GuideBlock[] }) {
  const labels = new Map<string, number>();
  // Several blocks of a section may have the same name.
  const labelOf = (name: string) => {
    const count = (labels.get(name) ?? 0) + 1;
    labels.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
  return blocks.map((block, n) => {
    const id = `code-${n}`;
    if (block.type === 'heading') return <Heading key={id} {...block} />;
    if (block.type === 'sample') return <Sample key={id} id={id} label={labelOf(block.name)} codes={block.codes} />;
    if (block.type === 'token') return <Block key={id} token={block.token} />;
    const title = languageNames[block.language] ?? 'Text';
    const label = labelOf(`${block.name}: ${title}`);
    return <Code key={id} id={id} label={label} title={title} language={block.language} text={block.text} />;
  });
}

function Heading({ heading: { depth, id }, tokens }: Extract<GuideBlock, { type: 'heading' }>) {
  const [Tag, className] = depth <= 2 ? (['h2', 'mt-6 text-xl'] as const) : (['h3', 'mt-2 text-lg'] as const);
  return (
    <Tag id={id} className={`scroll-mt-4 [overflow-wrap:anywhere] ${className}`}>
      <Inline tokens={tokens} />
      <a href={`#${id}`} className="anchor" aria-label="Link to this section">
        #
      </a>
    </Tag>
  );
}

function Block({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return (
        <p className="max-w-[68ch]">
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      );
    case 'text':
      return <Inline tokens={(token as Tokens.Text).tokens ?? [token]} />;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'blockquote':
      return (
        <blockquote className="grid max-w-[68ch] gap-3 border-l-2 border-accent pl-4">
          {(token as Tokens.Blockquote).tokens.map((each, n) => (
            <Block key={n} token={each} />
          ))}
        </blockquote>
      );
    case 'hr':
      return <hr />;
    case 'code':
      return <pre className="overflow-x-auto font-mono text-[13px]">{(token as Tokens.Code).text}</pre>;
    default:
      return null;
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, n) => (
    <li key={n} className="pl-1">
      {item.tokens.map((each, m) => (
        <Block key={m} token={each} />
      ))}
    </li>
  ));
  const className = 'grid max-w-[68ch] gap-1.5 pl-6 marker:text-quiet';
  if (!list.ordered) return <ul className={`${className} list-disc`}>{items}</ul>;
  return (
    <ol className={`${className} list-decimal`} {...(typeof list.start === 'number' && { start: list.start })}>
      {items}
    </ol>
  );
}

function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reachable by keyboard.
    <div className="relative overflow-x-auto" tabIndex={0}>
      <table className={`w-full text-left ${header.length > 2 ? 'min-w-[480px]' : ''}`}>
        <thead>
          <tr className="border-b text-sm text-quiet">
            {header.map((cell, n) => (
              <th key={n} scope="col" className="py-2 pr-6 font-medium">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n} className="border-b align-top last:border-b-0">
              {row.map((cell, m) => (
                <td key={m} className="max-w-[52ch] py-2 pr-6">
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Inline = ({ tokens }: { tokens: readonly Token[] }) =>
  tokens.map((token, n) => <Fragment key={n}>{inline(token)}</Fragment>);

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inline tokens={(token as Tokens.Strong).tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={(token as Tokens.Em).tokens} />
        </em>
      );
    case 'codespan':
      return <code className="inline-code">{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link link={token as Tokens.Link} />;
    default:
      return 'tokens' in token && token.tokens ? (
        <Inline tokens={token.tokens} />
      ) : (
        decoded('text' in token ? token.text : token.raw)
      );
  }
}

function Link({ link }: { link: Tokens.Link }) {
  const target = guideLinkOf(link.href);
  const content = <Inline tokens={link.tokens} />;
  if ('href' in target) return <TextLink to={target.href}>{content}</TextLink>;
  // The site does not know the address of the source tree. If the text of the link is the path already, the path is not repeated.
  if (target.file === textOf(link.tokens)) return <code className="inline-code">{target.file}</code>;
  return (
    <>
      {content} (<code className="inline-code">{target.file}</code>)
    </>
  );
}
