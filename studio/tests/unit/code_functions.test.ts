import { describe, expect, it } from 'vitest';
import { functionsOf } from '../../src/views/model/code/functions.ts';

describe('the functions of a generated file', () => {
  it('are found with their comment, in languages with braces', () => {
    const text = 'import x;\n\nexport interface A {\n  a: string;\n}\n\n/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n\n// Go on.\nexport async function* allOf() {\n}\n';
    expect(functionsOf(text)).toEqual([
      { name: 'booksOf', text: '/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n' },
      { name: 'allOf', text: '// Go on.\nexport async function* allOf() {\n}\n' },
    ]);
  });

  it('are found by indentation, and moved to the left', () => {
    const text = 'class Books:\n    @staticmethod\n    def one(a,\n            b):\n        """It."""\n\n        return a\n\n    def _hidden(self):\n        pass\n\ndef last():\n    return 1\n';
    expect(functionsOf(text)).toEqual([
      { name: 'one', text: '@staticmethod\ndef one(a,\n        b):\n    """It."""\n\n    return a\n' },
      { name: 'last', text: 'def last():\n    return 1\n' },
    ]);
  });

  it('are none where there are none', () => {
    expect(functionsOf('{"Resources": {}}')).toEqual([]);
    expect(functionsOf('')).toEqual([]);
  });
});
