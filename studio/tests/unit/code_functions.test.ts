import { describe, expect, it } from 'vitest';
import { functionsOf, neededBy, renamedTypes } from '../../src/views/model/code/functions.ts';

describe('the functions of a generated file', () => {
  it('are found with their comment, in languages with braces', () => {
    const text = 'import x;\n\nexport interface A {\n  a: string;\n}\n\n/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n\n// Go on.\nexport async function* allOf() {\n}\n';
    expect(functionsOf(text)).toMatchObject([
      { name: 'booksOf', text: '/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n' },
      { name: 'allOf', text: '// Go on.\nexport async function* allOf() {\n}\n' },
    ]);
  });

  it('are found by indentation, and moved to the left', () => {
    const text = 'class Books:\n    @staticmethod\n    def one(a,\n            b):\n        """It."""\n\n        return a\n\n    def _hidden(self):\n        pass\n\ndef last():\n    return 1\n';
    expect(functionsOf(text)).toMatchObject([
      { name: 'one', text: '@staticmethod\ndef one(a,\n        b):\n    """It."""\n\n    return a\n' },
      { name: 'last', text: 'def last():\n    return 1\n' },
    ]);
  });

  it('say where they begin, and what they need of other files', () => {
    const text = 'import x\n\ndef one(a):\n    return to_bike(query_all(a))\n\ndef two():\n    return one(1)\n';
    const [one, two] = functionsOf(text);
    expect(text.slice(one!.at)).toMatch(/^def one/);
    expect(text.slice(two!.at)).toMatch(/^def two/);
    const files = [{ path: 'patterns.py', text }, { path: 'reading.py', text: 'def query_all(a):\n    pass\n' }, { path: 'entities.py', text: 'def to_bike(a):\n    pass\n\ndef other():\n    pass\n' }];
    expect(neededBy(one!, files)).toEqual([{ name: 'query_all', path: 'reading.py' }, { name: 'to_bike', path: 'entities.py' }]);
    expect(neededBy(two!, files)).toEqual([{ name: 'one', path: 'patterns.py' }]);
  });

  it.each([
    ['export async function one(a: Client): Promise<OneResult> {\n  return toBike(a);\n}\n', 'export interface OneResult {\n  bike: Bike;\n}\n', 'export interface Bike {\n}\nexport function toBike() {\n}\n', ['Bike', 'OneResult', 'toBike']],
    ['def one(a) -> OneResult:\n    return to_bike(a)\n', '@dataclass\nclass OneResult:\n    bike: Bike\n', 'class Bike(TypedDict):\n    id: str\n\ndef to_bike(a):\n    pass\n', ['OneResult', 'to_bike']],
    ['func One(a Client) (OneResult, error) {\n}\n', 'type OneResult struct {\n}\n', 'type Bike struct {\n}\n', ['OneResult']],
    ['pub async fn one(a: &Client) -> Result<OneResult> {\n}\n', 'pub struct OneResult {\n}\n', 'pub struct Bike {\n}\n', ['OneResult']],
    ['  public OneResult one(Client a) {\n  }\n', '  public record OneResult(Bike bike) {\n  }\n', 'public class Bike {\n}\n', ['OneResult']],
  ])('need the types that they name, too: %s', (text, results, entities, names) => {
    const files = [{ path: 'patterns', text }, { path: 'results', text: results }, { path: 'entities', text: entities }];
    const needs = neededBy(functionsOf(text)[0]!, files).map(({ name }) => name);
    expect(needs).toEqual(expect.arrayContaining(names.filter((name) => name !== 'Bike')));
  });

  it('say which types have another name than their entity', () => {
    const files = [{ text: 'export interface CopyRow {\n}\nexport interface Book {\n}\nexport interface BookRow {\n}\n' }];
    expect(renamedTypes(['Copy', 'Book', 'Loan'], files)).toEqual([{ entity: 'Copy', type: 'CopyRow' }]);
  });

  it('are none where there are none', () => {
    expect(functionsOf('{"Resources": {}}')).toEqual([]);
    expect(functionsOf('')).toEqual([]);
  });
});
