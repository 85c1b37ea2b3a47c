// The colours of a declaration, by the one grammar that editors use: every pattern of it is one regular expression
// of a line, so that a few lines read it.
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { tags, type Tag } from '@lezer/highlight';
import grammar from '../../editors/eom.tmLanguage.json';

const TAGS: Record<string, Tag> = {
  'comment_line_documentation': tags.docComment,
  'comment_line_double-slash': tags.lineComment,
  'string_quoted_double': tags.string,
  'meta_attribute': tags.meta,
  'keyword_control_item': tags.definitionKeyword,
  'keyword_other': tags.keyword,
  'keyword_operator': tags.operator,
  'support_function': tags.standard(tags.function(tags.variableName)),
  'constant_language': tags.atom,
  'constant_numeric': tags.number,
  'variable_other': tags.variableName,
};

const patterns = grammar.patterns.map((pattern) => ({
  // A dot means something else to the editor.
  key: pattern.name.replace(/\.eom$/, '').replaceAll('.', '_'),
  match: new RegExp(pattern.match, 'uy'),
}));

/** The words of a kind, out of the alternatives of its pattern. */
export function words(kind: string): string[] {
  const pattern = grammar.patterns.find((pattern) => pattern.name === `${kind}.eom`);
  const alternatives = pattern?.match.match(/\(([a-z_0-9|π]+)\)/u);
  return alternatives ? alternatives[1].split('|') : [];
}

const parser: StreamParser<null> = {
  name: 'eom',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const { key, match } of patterns) {
      match.lastIndex = stream.pos;
      const found = match.exec(stream.string);
      if (found && found[0].length > 0) {
        stream.pos += found[0].length;
        return key;
      }
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
  tokenTable: TAGS,
};

export const eom = StreamLanguage.define(parser);
