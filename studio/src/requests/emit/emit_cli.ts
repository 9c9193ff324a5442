// The AWS command line, quoted for a POSIX shell.
import { anyCredentials, fieldsOf, holdsBytes, readsPages, usesBytes, type Emit, type EmitTogether, type Field } from './emitted.ts';

export function shellQuoted(text: string): string {
  return /^[A-Za-z0-9_./:=-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

const kebab = (name: string) => name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase();

function optionText(field: Field): string {
  const option = `--${kebab(field.name)}`;
  switch (field.kind) {
    case 'item':
    case 'names': return `${option} ${shellQuoted(JSON.stringify(field.value, null, 1).replace(/\n */g, ' '))}`;
    case 'flag': return field.value ? option : `--no-${kebab(field.name)}`;
    default: return `${option} ${shellQuoted(String(field.value))}`;
  }
}

const inBase64 = 'Binary values are written in base64, which is what version 2 of the command line expects.';

export const emitCli: Emit = (draft, { operation, request }, { endpoint, region }) => {
  const where = [...(endpoint ? [`--endpoint-url ${shellQuoted(endpoint)}`] : []), `--region ${shellQuoted(region)}`];
  const options = [...where, ...fieldsOf(request).map(optionText)];
  const notes = endpoint ? [anyCredentials] : [];
  if (readsPages(draft)) notes.push('It reads page after page by itself; --no-paginate asks for the first only.');
  if (usesBytes(request)) notes.push(inBase64);
  return { code: `aws dynamodb ${kebab(operation)} \\\n  ${options.join(' \\\n  ')}\n`, notes };
};

export const emitCliTogether: EmitTogether = ({ operation, request }, { endpoint, region }) => {
  const [name, value] = Object.entries(request)[0]!;
  const where = [...(endpoint ? [`--endpoint-url ${shellQuoted(endpoint)}`] : []), `--region ${shellQuoted(region)}`];
  const options = [...where, `--${kebab(name)} ${shellQuoted(JSON.stringify(value, null, 2))}`];
  const notes = [...(endpoint ? [anyCredentials] : []), ...(holdsBytes(request) ? [inBase64] : [])];
  return { code: `aws dynamodb ${kebab(operation)} \\\n  ${options.join(' \\\n  ')}\n`, notes };
};
