// The picture alone, as large as the window: one step shows all of it, each further one an entity or a relationship with what it touches.
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { model, readSource } from '../../../design/design.ts';
import { setQuery } from '../../../app/route.ts';
import { count } from '../../../parts/numbers.ts';
import { fitAll } from './camera.ts';
import { frame, extent, picture, travel } from './er_state.ts';
import { extentOf } from './moved.ts';
import { noteOf } from './notes.ts';
import { entityId, labelId, type Picture } from './picture.ts';
import { Stage } from './stage.tsx';

interface Step {
  title: string;
  text: string;
  boxes: Set<string>; // Empty: all.
}

// What a line joins the boxes to; a label leads on to what it joins.
function touched(drawn: Picture, ids: string[]): Set<string> {
  const found = new Set(ids);
  for (const { from, to } of drawn.lines) {
    if (ids.includes(from)) found.add(to);
    if (ids.includes(to)) found.add(from);
  }
  return found;
}

function stepsOf(drawn: Picture): Step[] {
  const { title, entities, relationships } = model.value!;
  const text = readSource.value;
  const all: Step = { title, text: `${count(entities.length)} entities, ${count(relationships.length)} relationships`, boxes: new Set() };
  const rows = new Map(entities.map(({ name, count: many }) => [name, many]));
  const ofEntities = drawn.entities.map(({ name }): Step => {
    const labels = [...touched(drawn, [entityId(name)])];
    const many = rows.get(name);
    return { title: name, text: noteOf(text, 'entity', name) || (many === undefined ? '' : `About ${count(Math.round(many))} items`), boxes: touched(drawn, labels) };
  });
  const ofLabels = drawn.labels.map(({ name, kind, lines }): Step => ({
    title: name,
    text: noteOf(text, 'relationship', name) || [kind, ...lines].join(' · '),
    boxes: touched(drawn, [labelId(name)]),
  }));
  return [all, ...ofEntities, ...ofLabels];
}

export function Presentation() {
  const dialog = useRef<HTMLDialogElement>(null);
  const at = useSignal(0);
  const steps = useComputed(() => (picture.value ? stepsOf(picture.value) : []));
  const step = steps.value[Math.min(at.value, steps.value.length - 1)];
  const close = () => setQuery({ present: undefined });
  useEffect(() => {
    dialog.current!.showModal();
  }, []);
  // The camera goes to what the step speaks of.
  useEffect(() => {
    const drawn = picture.peek();
    if (!drawn || !step) return;
    const boxes = new Map([...drawn.layout.boxes].filter(([id]) => step.boxes.has(id)));
    const part = step.boxes.size === 0 ? extent.peek() : extentOf({ ...drawn.layout, boxes, routes: new Map() }, 48);
    const fitted = fitAll(part, frame.peek());
    const zoom = Math.min(frame.peek().width / part.width, frame.peek().height / part.height, step.boxes.size === 0 ? 1.4 : 1.6);
    travel({ ...fitted, zoom: Math.max(fitted.zoom, zoom) });
  }, [at.value, steps.value.length, frame.value]);
  const go = (by: number) => (at.value = Math.max(0, Math.min(steps.peek().length - 1, at.peek() + by)));
  const onKey = (event: KeyboardEvent) => {
    const by = { PageDown: 1, PageUp: -1, n: 1, p: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(by);
  };
  if (!step) return null;
  return (
    <dialog ref={dialog} class="er-presentation" aria-label={`Presentation of ${model.value!.title}`} onClose={close} onKeyDown={onKey}>
      <Stage {...(step.boxes.size > 0 ? { lit: step.boxes } : {})} />
      <div class="er-caption">
        <div aria-live="polite">
          <h2>{step.title}</h2>
          <p>{step.text}</p>
        </div>
        <button disabled={at.value === 0} onClick={() => go(-1)} title="Page up">
          Back
        </button>
        <span>
          {at.value + 1} of {steps.value.length}
        </span>
        <button class="main" autofocus disabled={at.value === steps.value.length - 1} onClick={() => go(1)} title="Page down">
          Next
        </button>
        <button onClick={() => dialog.current!.close()} title="Escape">
          End
        </button>
      </div>
    </dialog>
  );
}
