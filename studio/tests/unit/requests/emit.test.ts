// The code runs in its own language, with an SDK that only writes down what it was given.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/requests/draft.ts';
import type { Emit, Target } from '../../../src/requests/emit/emitted.ts';
import { emitBoto3 } from '../../../src/requests/emit/emit_boto3.ts';
import { emitCli } from '../../../src/requests/emit/emit_cli.ts';
import { aligned, emitGo } from '../../../src/requests/emit/emit_go.ts';
import { emitJava } from '../../../src/requests/emit/emit_java.ts';
import { emitJavaScript } from '../../../src/requests/emit/emit_javascript.ts';
import { emitJson } from '../../../src/requests/emit/emit_json.ts';
import { languages } from '../../../src/requests/emit/languages.ts';
import { combine, type Together } from '../../../src/requests/together.ts';
import { compile } from '../../../src/requests/request.ts';
import { awkwardPut, gradeUpdate, rosterQuery } from './awkward.ts';

const target: Target = { endpoint: 'http://127.0.0.1:8000', region: 'us-east-1' };
const { limit: _, ...wholeRoster } = rosterQuery;
const drafts: [string, Draft][] = [['put', awkwardPut], ['query', rosterQuery], ['query in pages', wholeRoster], ['update', gradeUpdate]];
let folder: string;

function code(emit: Emit, draft: Draft, to = target): string {
  const emitted = emit(draft, compile(draft), to);
  if ('refused' in emitted) throw new Error(emitted.refused);
  return emitted.code;
}

const write = (name: string, text: string) => {
  writeFileSync(`${folder}/${name}`, text);
  return `${folder}/${name}`;
};

beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/emit-`);
  const sdk = `${folder}/node_modules/@aws-sdk/client-dynamodb`;
  mkdirSync(sdk, { recursive: true });
  const commands = ['Query', 'PutItem', 'UpdateItem', 'BatchGetItem', 'TransactWriteItems'].map((name) => `export class ${name}Command { constructor(input) { this.input = input; this.operation = '${name}'; } }`);
  writeFileSync(`${sdk}/package.json`, '{"name": "@aws-sdk/client-dynamodb", "type": "module", "exports": "./index.js"}');
  writeFileSync(
    `${sdk}/index.js`,
    `${commands.join('\n')}
const written = (key, value) => value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value;
export async function* paginateQuery({ client }, input) {
  console.log(JSON.stringify({ settings: client.settings, operation: 'Query', input }, written));
  yield { Items: [] };
}
export class DynamoDBClient {
  constructor(settings) { this.settings = settings; }
  async send({ operation, input }) {
    console.log(JSON.stringify({ settings: this.settings, operation, input }, written));
    process.exit(0);
  }
}`,
  );
  write(
    'boto3.py',
    `import base64, json, sys
class Client:
    def __init__(self, settings): self.settings = settings
    def get_paginator(self, method):
        self.method = method
        return self
    def paginate(self, **request):
        print(json.dumps([self.settings, self.method, request]))
        return [{"Items": []}]
    def __getattr__(self, method):
        def call(**request):
            print(json.dumps([self.settings, method, request], default=lambda b: base64.b64encode(b).decode()))
            sys.exit(0)
        return call
def client(name, **settings): return Client({"name": name, **settings})
`,
  );
  chmodSync(write('aws', '#!/usr/bin/python3\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n'), 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('JavaScript', () => {
  it.each(drafts)('says the same: %s', (_name, draft) => {
    const file = write('code.mjs', code(emitJavaScript, draft));
    const { settings, operation, input } = JSON.parse(execFileSync('node', [file], { encoding: 'utf8' }));
    expect(settings).toEqual({ region: 'us-east-1', endpoint: 'http://127.0.0.1:8000' });
    expect(operation).toBe(draft.operation);
    expect(input).toEqual(compile(draft).request);
  });
});

describe('Python', () => {
  it.each(drafts)('says the same: %s', (_name, draft) => {
    const file = write('code.py', code(emitBoto3, draft));
    const [settings, method, request] = JSON.parse(execFileSync('/usr/bin/python3', [file], { encoding: 'utf8' }));
    expect(settings).toEqual({ name: 'dynamodb', region_name: 'us-east-1', endpoint_url: 'http://127.0.0.1:8000' });
    expect(method).toBe({ PutItem: 'put_item', Query: 'query', UpdateItem: 'update_item' }[draft.operation as 'Query']);
    expect(request).toEqual(compile(draft).request);
  });
});

describe('The command line', () => {
  it.each(drafts)('says the same: %s', (_name, draft) => {
    const file = write('code.sh', code(emitCli, draft));
    const words = JSON.parse(execFileSync('sh', [file], { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } })) as string[];
    expect(words.slice(0, 6)).toEqual(['dynamodb', { PutItem: 'put-item', Query: 'query', UpdateItem: 'update-item' }[draft.operation as 'Query'],
      '--endpoint-url', 'http://127.0.0.1:8000', '--region', 'us-east-1']);
    const found: Record<string, unknown> = {};
    for (let at = 6; at < words.length; at += 1) {
      const name = words[at]!.replace(/^--(no-)?/, '').replace(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
      const flag = words[at + 1]?.startsWith('--') ?? true;
      if (flag) found[name] = !words[at]!.startsWith('--no-');
      else {
        at += 1;
        found[name] = words[at]!.startsWith('{') ? JSON.parse(words[at]!) : name === 'Limit' ? Number(words[at]) : words[at];
      }
    }
    expect(found).toEqual(compile(draft).request);
  });

  it('leaves the endpoint out for AWS', () => {
    expect(code(emitCli, rosterQuery, { region: 'eu-west-1' })).not.toContain('endpoint');
  });
});

describe('Java', () => {
  it('builds a query', () => {
    expect(code(emitJava, rosterQuery)).toBe(`import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.*;

public class Example {
  public static void main(String[] arguments) {
    try (DynamoDbClient dynamodb = DynamoDbClient.builder()
        .region(Region.of("us-east-1"))
        .endpointOverride(URI.create("http://127.0.0.1:8000"))
        .build()) {
      QueryResponse response = dynamodb.query(QueryRequest.builder()
          .tableName("Education")
          .indexName("GSI1")
          .keyConditionExpression("#GSI1_PK = :GSI1_PK AND begins_with(#GSI1_SK, :GSI1_SK)")
          .filterExpression("Grade = :Grade OR attribute_not_exists(Grade)")
          .projectionExpression("#GSI1_SK, Grade")
          .expressionAttributeNames(Map.ofEntries(
              Map.entry("#GSI1_PK", "GSI1-PK"),
              Map.entry("#GSI1_SK", "GSI1-SK")))
          .expressionAttributeValues(Map.ofEntries(
              Map.entry(":GSI1_PK", AttributeValue.fromS("COURSE#C1")),
              Map.entry(":GSI1_SK", AttributeValue.fromS("STUDENT#")),
              Map.entry(":Grade", AttributeValue.fromS("A"))))
          .scanIndexForward(false)
          .limit(20)
          .build());
      System.out.println(response);
    }
  }
}
`);
  });

  it('reads all pages of a query without a limit', () => {
    const text = code(emitJava, wholeRoster);
    expect(text).toContain('for (Map<String, AttributeValue> item : dynamodb.queryPaginator(QueryRequest.builder()\n');
    expect(text).toContain('          .build()).items()) {\n        System.out.println(item);\n      }\n    }\n  }\n}\n');
  });

  it('writes awkward values as literals', () => {
    const text = code(emitJava, awkwardPut);
    for (const part of [
      String.raw`AttributeValue.fromS("it's \"quoted\" \\ back\\u0041slash $HOME ` + '`cmd`',
      String.raw`"line one\nline two\ttab\r\u0001\u2028end"`,
      'AttributeValue.fromN("12345678901234567890123456789012345678")',
      'AttributeValue.fromB(SdkBytes.fromByteArray(Base64.getDecoder().decode("AP8QgA==")))',
      String.raw`AttributeValue.fromSs(List.of("'", "\"", "\\"))`,
      'AttributeValue.fromBool(false)', 'AttributeValue.fromNul(true)', 'AttributeValue.fromL(List.of())', 'AttributeValue.fromM(Map.of())',
      'import java.util.Base64;', 'import java.util.List;', 'import software.amazon.awssdk.core.SdkBytes;',
    ]) expect(text).toContain(part);
  });
});

describe('Go', () => {
  it('builds an update', () => {
    const text = code(emitGo, gradeUpdate, { region: 'us-east-1' });
    expect(text).toContain('response, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{\n\t\tTableName: aws.String("Education"),\n');
    expect(text).toContain('":Tags":    &types.AttributeValueMemberSS{Value: []string{"new"}},');
    expect(text).toContain('ReturnValues: types.ReturnValue("ALL_NEW"),');
    expect(text).not.toContain('BaseEndpoint');
    expect(text).not.toContain('base64');
  });

  it('writes awkward values as literals', () => {
    const text = code(emitGo, awkwardPut);
    for (const part of [
      String.raw`"line one\nline two\ttab\r\u0001\u2028end"`, 'fromBase64("AP8QgA==")', '"encoding/base64"',
      'AttributeValueMemberNS{Value: []string{"1", "99999999999999999999999999999999999999"}}',
      'AttributeValueMemberNULL{Value: true}', 'AttributeValueMemberL{Value: []types.AttributeValue{}}',
    ]) expect(text).toContain(part);
  });

  it('reads all pages of a query without a limit', () => {
    const text = code(emitGo, wholeRoster);
    expect(text).toContain('\tpages := dynamodb.NewQueryPaginator(client, &dynamodb.QueryInput{\n\t\tTableName:');
    expect(text).toContain('\tfor pages.HasMorePages() {\n\t\tpage, err := pages.NextPage(ctx)\n');
  });

  it('aligns as gofmt does', () => {
    expect(aligned([['a:', '1'], ['long:', '2'], ['many:', '{\n}'], ['b:', '3']], '')).toBe('a:    1,\nlong: 2,\nmany: {\n},\nb: 3,\n');
  });
});

describe('JSON', () => {
  it('is the request', () => {
    for (const [, draft] of drafts) expect(JSON.parse(code(emitJson, draft))).toEqual(compile(draft).request);
  });
});

describe('Several requests as one', () => {
  const batch = combine([{ operation: 'GetItem', table: 'Education', key: gradeUpdate.key }, { operation: 'GetItem', table: 'Other', key: gradeUpdate.key, consistent: true }], 'BatchGetItem');
  const writes = combine([awkwardPut, gradeUpdate], 'TransactWriteItems');
  const codeOf = (name: string, together: Together) => {
    const emitted = languages.find((one) => one.name === name)!.together(together, target);
    if ('refused' in emitted) throw new Error(emitted.refused);
    return emitted.code;
  };

  it.each([['a batch', batch], ['a transaction', writes]])('say the same in JavaScript and Python: %s', (_name, together) => {
    const { operation, input } = JSON.parse(execFileSync('node', [write('together.mjs', codeOf('javascript', together))], { encoding: 'utf8' }));
    expect([operation, input]).toEqual([together.operation, together.request]);
    const [, method, request] = JSON.parse(execFileSync('/usr/bin/python3', [write('together.py', codeOf('boto3', together))], { encoding: 'utf8' }));
    expect(method).toBe(together.operation.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase());
    expect(request).toEqual(together.request);
  });

  it('say the same on the command line', () => {
    const words = JSON.parse(execFileSync('sh', [write('together.sh', codeOf('cli', writes))], { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } })) as string[];
    expect([words[1], words[6], JSON.parse(words[7]!)]).toEqual(['transact-write-items', '--transact-items', writes.request['TransactItems']]);
  });

  it('ask again for what a batch left undone', () => {
    expect(codeOf('java', batch)).toContain('        left = response.unprocessedKeys();\n');
    expect(codeOf('go', batch)).toContain('\t\tleft = response.UnprocessedKeys\n');
    expect(codeOf('java', batch)).toContain('Map<String, KeysAndAttributes> left = Map.ofEntries(\n          Map.entry("Education", KeysAndAttributes.builder()\n');
    expect(codeOf('go', batch)).toContain('\tleft := map[string]types.KeysAndAttributes{\n\t\t"Education": {\n\t\t\tKeys: []map[string]types.AttributeValue{\n');
  });

  it('are parts of a transaction in Java, Go and PartiQL', () => {
    expect(codeOf('java', writes)).toContain('TransactWriteItem.builder().update(Update.builder()\n');
    expect(codeOf('go', writes)).toContain('\t\t\t{Update: &types.Update{\n');
    const reads = JSON.parse(codeOf('partiql', batch)).Statements as { Statement: string; ConsistentRead?: boolean }[];
    expect(reads.map(({ Statement, ConsistentRead }) => [Statement.split(' ')[0], ConsistentRead])).toEqual([['SELECT', undefined], ['SELECT', true]]);
    expect(() => codeOf('partiql', writes)).toThrow('if_not_exists');
  });
});
