// The design as code: everything that `prejoin gen` writes, file by file.
import { computed, signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { model as api, type Generated, type Target } from '../../../api/model.ts';
import { model, readSource } from '../../../design/design.ts';
import { follow } from '../../../design/figures.ts';
import { route, setQuery } from '../../../app/route.ts';
import { CodeBlock } from '../../../parts/code_block.tsx';
import { copyText } from '../../../parts/copy_text.ts';
import { plural } from '../../../parts/numbers.ts';
import { fileNameOf, saveFile } from '../../../parts/save_file.ts';
import { canSaveToFolder, chooseFolder, saveToFolder, type Folder } from '../../../parts/save_folder.ts';
import { zipOf } from '../../../parts/zip.ts';
import { functionsOf, neededBy, renamedTypes } from './functions.ts';

const targets = follow<string, Target[]>(signal('all'), () => api.targets());
const rememberedKey = 'prejoin-target';
const remembered = signal(typeof localStorage === 'undefined' ? null : localStorage.getItem(rememberedKey));
const chosen = computed(() => route.value.query['to'] ?? remembered.value ?? 'typescript');

// In the address, for a link; in the browser, for the next design.
function choose(to: string): void {
  localStorage.setItem(rememberedKey, to);
  remembered.value = to;
  setQuery({ to }, { replace: true });
}

const wanted = computed(() => (readSource.value === '' ? null : JSON.stringify([readSource.value, chosen.value])));
const generated = follow<string, Generated>(wanted, (key, abort) => {
  const [source, to] = JSON.parse(key) as [string, string];
  return api.gen(source, to, abort);
});

const saveOne = ({ path, text }: Generated['files'][number]) => saveFile(path.replace(/^.*\//, ''), new Blob([text], { type: 'text/plain' }));

function saveAll(files: Generated['files'], to: string): void {
  const folder = fileNameOf(model.peek()?.title ?? ''); // The name that the files give themselves.
  saveFile(`${folder}-${to}.zip`, new Blob([zipOf(files.map(({ path, text }) => ({ path: `${folder}/${path}`, text })))], { type: 'application/zip' }));
}

// Kept while the page is open, so that the next version goes where the last one went.
const folder = signal<Folder | null>(null);

// For an editor that has the folder open: it shows the files as soon as they are there.
function ToFolder({ files }: { files: Generated['files'] }) {
  const said = useSignal('');
  if (!canSaveToFolder()) return null;
  const write = async (to: Folder | null) => {
    if (!to) return;
    folder.value = to;
    said.value = 'Writing…';
    try {
      await saveToFolder(to, files);
      said.value = `Wrote ${plural(files.length, 'file')} into ${to.name || 'the folder'}.`;
    } catch (error) {
      said.value = `Not written: ${(error as Error).message}`;
    }
  };
  return (
    <>
      {folder.value && <button onClick={() => void write(folder.value)}>Write into {folder.value.name || 'the folder'} again</button>}
      <button onClick={async () => write(await chooseFolder())}>Write into a folder…</button>
      <span role="status">{said.value}</span>
    </>
  );
}

// What somebody comes for: the functions of the patterns.
const mattersMost = (files: Generated['files']) => files.find(({ path }) => /(^|\/)patterns?\.|(^|\/)Patterns\./.test(path)) ?? (files.length === 1 ? files[0] : undefined);

// Scrolls the code to the character that is so far behind its beginning.
function scrollTo(pre: HTMLElement, offset: number): void {
  const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
  let left = offset;
  while (texts.nextNode()) {
    const { length } = texts.currentNode as Text;
    if (left < length) {
      const range = document.createRange();
      range.setStart(texts.currentNode, left);
      range.setEnd(texts.currentNode, left + 1);
      pre.scrollTop += range.getBoundingClientRect().top - pre.getBoundingClientRect().top - 8;
      return;
    }
    left -= length;
  }
}

// One function of a file, for a program that has the rest already.
function CopyOne({ file, files }: { file: Generated['files'][number]; files: Generated['files'] }) {
  const functions = functionsOf(file.text);
  const chosen = useSignal(0);
  const said = useSignal('');
  const one = functions[chosen.value] ?? functions[0];
  const needs = useMemo(() => (one && functions.length > 1 ? neededBy(one, files) : []), [one?.name, file, files]);
  if (!one || functions.length < 2) return null;
  return (
    <span class="code-one">
      <label>
        One function{' '}
        <select
          value={chosen.value}
          onChange={(event) => {
            chosen.value = Number(event.currentTarget.value);
            said.value = '';
            scrollTo(event.currentTarget.closest('details')!.querySelector('pre')!, functions[chosen.value]!.at);
          }}
        >
          {functions.map(({ name }, at) => (
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </select>
      </label>{' '}
      <button onClick={() => void copyText(one.text).then(() => (said.value = 'Copied'), () => (said.value = 'The browser did not allow it.'))}>Copy {one.name}</button>{' '}
      <span role="status">{said.value}</span>
      {needs.length > 0 && <small class="hint">It also needs {needs.map(({ name, path }) => `${name} (${path})`).join(', ')}.</small>}
    </span>
  );
}

// The list of files comes first: each opens where it stands.
function Files({ of, to }: { of: Generated; to: string }) {
  return (
    <>
      {of.notGenerated.map((reason) => (
        <p key={reason} class="model-said bad">
          No function for {reason}
        </p>
      ))}
      {renamedTypes((model.value?.entities ?? []).map(({ name }) => name), of.files).map(({ entity, type }) => (
        <p key={entity} class="hint">
          The type of the entity <code>{entity}</code> is called <code>{type}</code> in the code: <code>{entity}</code> already means something in one of the languages.
        </p>
      ))}
      <p class="code-all">
        {plural(of.files.length, 'file')}{' '}
        {of.files.length > 1 && <button onClick={() => saveAll(of.files, to)}>Download all</button>} <ToFolder files={of.files} />
      </p>
      {of.files.map((file) => (
        <details key={file.path} open={file === mattersMost(of.files)} class="code-file">
          <summary>
            <code>{file.path}</code> <span class="hint">{plural(file.text.split('\n').length - 1, 'line')}</span>
          </summary>
          <button onClick={() => saveOne(file)}>Download {file.path.replace(/^.*\//, '')}</button> <CopyOne file={file} files={of.files} />
          <CodeBlock label={file.path} code={file.text} />
        </details>
      ))}
    </>
  );
}

export function CodeTab() {
  const { value, error, busy } = generated.value;
  const all = targets.value.value ?? [];
  return (
    <div aria-busy={busy}>
      <p class="hint">
        A function for each pattern and each write, with paging where a read can take more than one page; tables for every tool that creates them; models for
        other tools. <code>prejoin gen FILE --to {chosen.value} -o DIR</code> writes the same.
      </p>
      <label class="code-target">
        To{' '}
        <select value={chosen.value} onChange={(event) => choose(event.currentTarget.value)}>
          {all.map(({ name, about }) => (
            <option key={name} value={name}>
              {about}
            </option>
          ))}
        </select>
      </label>
      {error && <p class="model-said bad">{error}</p>}
      {value && <Files key={chosen.value} of={value} to={chosen.value} />}
    </div>
  );
}
