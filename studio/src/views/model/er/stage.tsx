// The picture itself, as large as its frame.
import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { model } from '../../../design/design.ts';
import { route } from '../../../app/route.ts';
import { viewBoxOf } from './camera.ts';
import { Entity, Label, Lines, Note } from './er_boxes.tsx';
import { camera, folded, frame, picture, setCamera } from './er_state.ts';
import { placeOf } from './picture.ts';
import { followPointers } from './pointers.ts';

// `lit`: the boxes that a presentation speaks of.
export function Stage({ lit }: { lit?: Set<string> }) {
  const drawn = picture.value!;
  const host = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = host.current!;
      if (width > 0 && height > 0) frame.value = { width, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(host.current!);
    const end = followPointers(svg.current!);
    return () => {
      observer.disconnect();
      end();
    };
  }, []);
  // Another picture begins as pictures begin.
  const names = drawn.entities.map(({ name }) => name).join();
  useEffect(() => setCamera(null), [names, folded.value]);
  const { entity: entityName = '', relationship: relationshipName = '' } = route.value.query;
  const chosen = placeOf(drawn, 'entity', entityName) ?? placeOf(drawn, 'relationship', relationshipName);
  const tabStop = chosen?.id ?? [...drawn.layout.boxes.keys()][0];
  const place = (kind: 'entity' | 'relationship', name: string) => {
    const at = placeOf(drawn, kind, name)!;
    return { at, tabStop: at.id === tabStop };
  };
  // Bound to the attribute, so that moving draws no box anew.
  const viewBox = useComputed(() => viewBoxOf(camera.value, frame.value));
  return (
    <div ref={host} class="er-scroll">
      <svg ref={svg} role="group" aria-label={`Entities of ${model.value!.title}`} viewBox={viewBox} data-lit={lit ? '' : undefined}>
        <Lines lines={drawn.lines} of={drawn} {...(lit ? { lit } : {})} />
        {drawn.notes.map((note) => (
          <Note key={note.id} note={note} at={drawn.layout.boxes.get(note.id)!} />
        ))}
        {drawn.labels.map((label) => (
          <Label key={label.name} label={label} {...place('relationship', label.name)} {...(lit ? { lit } : {})} />
        ))}
        {drawn.entities.map((entity) => (
          <Entity key={entity.name} entity={entity} {...place('entity', entity.name)} {...(lit ? { lit } : {})} />
        ))}
      </svg>
    </div>
  );
}
