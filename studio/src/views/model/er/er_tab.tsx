// The ER picture: pan, zoom, drag, notes, files of it, and a presentation.
import './er.css';
import { signal, useSignal } from '@preact/signals';
import { model, source } from '../../../design/design.ts';
import { route, setQuery } from '../../../app/route.ts';
import { fileNameOf, saveFile } from '../../../parts/save_file.ts';
import { replaceText } from '../editor/handle.ts';
import { manyEntities } from './around.ts';
import { within, zoomAt } from './camera.ts';
import { camera, extent, folded, frame, picture, showAll, tablePrefix, travel } from './er_state.ts';
import { pngOf, svgText } from './export_picture.ts';
import { moves, tidy } from './moved.ts';
import { noteOf, withNote, type Noted } from './notes.ts';
import { Presentation } from './presentation.tsx';
import { Stage } from './stage.tsx';
import { Switcher } from './switcher.tsx';

// For models of many entities: choose one, and see what is around it.
function Near() {
  const entities = model.value?.entities.map(({ name }) => name) ?? [];
  if (entities.length < manyEntities) return null;
  const tables = (model.value?.tables.length ?? 0) > 1 ? model.value!.tables.map(({ name }) => tablePrefix + name) : [];
  const names = [...entities, ...tables];
  const near = route.value.query['near'] ?? '';
  return (
    <label class="er-near">
      <span>Around</span>
      <input
        list="er-names"
        placeholder={`one of ${entities.length} entities`}
        value={near}
        autocomplete="off"
        onInput={(event) => {
          const name = event.currentTarget.value;
          if (name === '') setQuery({ near: undefined, fold: undefined }, { replace: true });
          else if (names.includes(name)) setQuery({ near: name, fold: undefined, entity: entities.includes(name) ? name : undefined, relationship: undefined }, { replace: true });
        }}
      />
      <datalist id="er-names">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {near !== '' && <button onClick={() => setQuery({ near: undefined, fold: undefined }, { replace: true })}>Show all</button>}
    </label>
  );
}


const zoomStep = 1.25;

function zoomBy(by: number): void {
  const { width, height } = frame.peek();
  travel(within(zoomAt(camera.peek(), by, { x: width / 2, y: height / 2 }, frame.peek()), extent.peek(), frame.peek()));
}

function Zoom() {
  return (
    <span class="er-zoom" role="group" aria-label="Zoom">
      <button aria-label="Zoom out" onClick={() => zoomBy(1 / zoomStep)}>
        −
      </button>
      <button title="Show it at 100 %" onClick={() => zoomBy(1 / camera.peek().zoom)}>
        {Math.round(camera.value.zoom * 100)} %
      </button>
      <button aria-label="Zoom in" onClick={() => zoomBy(zoomStep)}>
        +
      </button>
      <button onClick={showAll}>Fit</button>
    </span>
  );
}

const trouble = signal('');

async function exportAs(kind: 'svg' | 'png'): Promise<void> {
  const svg = document.querySelector<SVGSVGElement>('.er-scroll svg');
  if (!svg) return;
  trouble.value = '';
  try {
    const title = model.peek()!.title;
    const text = svgText(svg, extent.peek(), title);
    const content = kind === 'svg' ? new Blob([text], { type: 'image/svg+xml' }) : await pngOf(text, extent.peek());
    saveFile(`${fileNameOf(title)}.${kind}`, content);
  } catch (error) {
    trouble.value = (error as Error).message;
  }
}

// The comment above what is chosen, as a field.
function NoteEditor({ kind, name, close }: { kind: Noted; name: string; close: () => void }) {
  const text = useSignal(noteOf(source.peek(), kind, name));
  const save = () => {
    replaceText(withNote(source.peek(), kind, name, text.peek()));
    close();
  };
  return (
    <form
      class="er-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <label>
        <span>Note on {name}, kept as the comment above it in the text</span>
        <textarea rows={3} value={text.value} ref={(field) => field?.focus()} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <button class="main" type="submit">
        Save note
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}

const noting = signal(false);

function Tools() {
  const { entity, relationship } = route.value.query;
  const chosen = entity ? { kind: 'entity' as const, name: entity } : relationship ? { kind: 'relationship' as const, name: relationship } : null;
  const dragged = Object.keys(moves.value).length > 0;
  return (
    <>
      <div class="tab-head er-tools">
        <Near />
        <Zoom />
        <button aria-pressed={folded.value} onClick={() => setQuery({ fold: folded.peek() ? '0' : '1' }, { replace: true })} title="Show only names">
          Fold
        </button>
        <button disabled={!dragged || folded.value} onClick={tidy} title="Put every box back to where the layout finds room">
          Tidy up
        </button>
        <button disabled={!chosen} aria-expanded={noting.value && chosen !== null} onClick={() => (noting.value = !noting.peek())} title={chosen ? undefined : 'Choose an entity or a relationship first'}>
          Note
        </button>
        <button onClick={() => void exportAs('svg')} aria-label="Save the picture as SVG">
          SVG
        </button>
        <button onClick={() => void exportAs('png')} aria-label="Save the picture as PNG">
          PNG
        </button>
        <button onClick={() => setQuery({ present: '1' })}>Present</button>
      </div>
      {trouble.value && <p class="note">{trouble.value}</p>}
      {noting.value && chosen && <NoteEditor key={chosen.name} {...chosen} close={() => (noting.value = false)} />}
    </>
  );
}

export function ErTab() {
  if (!picture.value) return null;
  if (route.value.query['present'] !== undefined) return <Presentation />;
  return (
    <>
      <p class="hint">
        Each relationship names the strategy that stores it. Drag to pan, drag a box to move it, Ctrl + wheel to zoom. Arrow keys walk between boxes; with Alt
        they move one.
      </p>
      <Tools />
      <Stage />
      <Switcher relationship={route.value.query['relationship'] ?? ''} />
    </>
  );
}
