// The languages that a request can be copied in, in the order of their tabs.
import { emitBoto3 } from './emit_boto3.ts';
import { emitCli } from './emit_cli.ts';
import { emitGo } from './emit_go.ts';
import { emitJava } from './emit_java.ts';
import { emitJavaScript } from './emit_javascript.ts';
import { emitJson } from './emit_json.ts';
import { emitPartiql } from './emit_partiql.ts';
import type { Emit } from './emitted.ts';

export interface Language {
  name: string;
  title: string;
  emit: Emit;
}

export const languages: Language[] = [
  { name: 'javascript', title: 'JavaScript', emit: emitJavaScript },
  { name: 'boto3', title: 'Python', emit: emitBoto3 },
  { name: 'java', title: 'Java', emit: emitJava },
  { name: 'go', title: 'Go', emit: emitGo },
  { name: 'cli', title: 'AWS CLI', emit: emitCli },
  { name: 'partiql', title: 'PartiQL', emit: emitPartiql },
  { name: 'json', title: 'JSON', emit: emitJson },
];
