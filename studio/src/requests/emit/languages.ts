// The languages that a request can be copied in, in the order of their tabs.
import { emitBoto3, emitBoto3Together } from './emit_boto3.ts';
import { emitCli, emitCliTogether } from './emit_cli.ts';
import { emitGo, emitGoTogether } from './emit_go.ts';
import { emitJava, emitJavaTogether } from './emit_java.ts';
import { emitJavaScript, emitJavaScriptTogether } from './emit_javascript.ts';
import { emitJson, emitJsonTogether } from './emit_json.ts';
import { emitPartiql, emitPartiqlTogether } from './emit_partiql.ts';
import type { Emit, EmitTogether } from './emitted.ts';

export interface Language {
  name: string;
  title: string;
  emit: Emit;
  together: EmitTogether; // Several requests as one.
}

export const languages: Language[] = [
  { name: 'javascript', title: 'JavaScript', emit: emitJavaScript, together: emitJavaScriptTogether },
  { name: 'boto3', title: 'Python', emit: emitBoto3, together: emitBoto3Together },
  { name: 'java', title: 'Java', emit: emitJava, together: emitJavaTogether },
  { name: 'go', title: 'Go', emit: emitGo, together: emitGoTogether },
  { name: 'cli', title: 'AWS CLI', emit: emitCli, together: emitCliTogether },
  { name: 'partiql', title: 'PartiQL', emit: emitPartiql, together: emitPartiqlTogether },
  { name: 'json', title: 'JSON', emit: emitJson, together: emitJsonTogether },
];
