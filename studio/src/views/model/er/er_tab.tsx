// The ER picture. Boxes are buttons: they lead to their place in the text; the arrow keys walk among
// them.
import './er.css';
import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { model, source } from '../../../design/design.ts';
import { advice, scale, scaledCost } from '../../../design/figures.ts';
import { growthOfKey } from '../../../design/growth.ts';
import { roughly } from '../../../parts/numbers.ts';
import { route, setQuery } from '../../../app/route.ts';
import { lineOfDeclaration } from '../editor/places.ts';
import { reveal } from '../editor/handle.ts';
import { entitiesIn, manyEntities, neighboursOf, partOf } from './around.ts';
import { Switcher } from './switcher.tsx';
import { pathOf, type Placed, type Point } from './layout.ts';
import {
  attributeTexts,
  drawPicture,
  entityWidth,
  headHeight,
  labelLineHeight,
  neighbour,
  placeOf,
  rowHeight,
  shorten,
  type End,
  type EntityBox,
  type Line,
  type Picture,
  type RelationshipLabel,
} from './picture.ts';

const tablePrefix = 'table '; // Of a table in `near`.

// The whole model, or the part around the entity, or in the table, that `near` in the address names.
const shown = computed(() => {
  const whole = model.value;
  const near = route.value.query['near'];
  if (!whole || near === undefined) return whole;
  const names = near.startsWith(tablePrefix) ? entitiesIn(whole, near.slice(tablePrefix.length)) : whole.entities.some(({ name }) => name === near) ? neighboursOf(whole, near) : null;
  return names && names.size > 0 ? partOf(whole, names) : whole;
});

// Names alone: `fold` in the address. Many entities are folded at first.
const folded = computed(() => (route.value.query['fold'] ?? ((shown.value?.entities.length ?? 0) >= manyEntities ? '1' : '0')) === '1');

const picture = computed(() => {
  const inUse = new Map((advice.value.value ?? []).map((one) => [one.relationship, one.inUse]));
  return shown.value ? drawPicture(shown.value, inUse, folded.value) : null;
});
const zoom = signal<'fit' | 1>('fit');
const margin = 12;
const smallestFolded = 0.8;
const smallest = 0.55; // Smaller than this nobody can read it: it scrolls instead.

function select(kind: 'entity' | 'relationship', name: string): void {
  // In a part, the part follows to what is chosen.
  const near = route.peek().query['near'];
  const moves = kind === 'entity' && near !== undefined && !near.startsWith(tablePrefix) ? { near: name } : {};
  setQuery({ ...moves, entity: kind === 'entity' ? name : undefined, relationship: kind === 'relationship' ? name : undefined }, { replace: true });
  const line =
    lineOfDeclaration(source.peek(), kind, name) ?? lineOfDeclaration(source.peek(), kind === 'relationship' ? 'hierarchy' : kind, name);
  if (line !== null) reveal({ line });
}

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

function walk(event: KeyboardEvent, id: string, activate: () => void): void {
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    activate();
    return;
  }
  if (!event.key.startsWith('Arrow')) return;
  event.preventDefault();
  const to = neighbour(picture.peek()!, id, event.key as 'ArrowUp');
  if (to === null) return;
  for (const box of (event.currentTarget as SVGElement).ownerSVGElement!.querySelectorAll<SVGElement>('[data-box]')) {
    if (box.dataset['box'] === to) box.focus();
  }
}

interface FrameProps {
  at: Placed;
  round: number;
  label: string;
  chosen: boolean;
  tabStop: boolean;
  activate: () => void;
}

// The button of a box. It holds no text, because its name says it in other words; the mouse reaches it
// through the whole box.
function Frame({ at, round, label, chosen, tabStop, activate }: FrameProps) {
  return (
    <rect
      class="er-frame"
      width={at.width}
      height={at.height}
      rx={round}
      role="button"
      tabindex={tabStop ? 0 : -1}
      aria-pressed={chosen}
      aria-label={label}
      data-box={at.id}
      onKeyDown={(event) => walk(event, at.id, activate)}
    />
  );
}

// How many there are at the scale of the page; red where one of their keys passes a limit.
function Rows({ entity }: { entity: string }) {
  const rows = model.value?.entities.find(({ name }) => name === entity)?.count;
  const cost = scale.value > 1 ? scaledCost.value.value : null;
  const hot = cost?.sizes.some((size) => size.entity === entity && (growthOfKey(cost, size.view, size.key.replace(/"/g, ''))?.passed.length ?? 0) > 0);
  if (rows === undefined || entity.length > 16) return null;
  return (
    <text class={hot ? 'er-rows hot' : 'er-rows'} x={entityWidth - 10} y={19}>
      {roughly(rows * scale.value)}
    </text>
  );
}

function Entity({ entity, at, tabStop }: { entity: EntityBox; at: Placed; tabStop: boolean }) {
  const chosen = route.value.query['entity'] === entity.name;
  const activate = () => select('entity', entity.name);
  const keys = entity.attributes.filter((attribute) => attribute.key).map((attribute) => attribute.name);
  return (
    <g
      class={chosen ? 'er-box er-entity chosen' : 'er-box er-entity'}
      transform={`translate(${at.x} ${at.y})`}
      onClick={activate}
    >
      <Frame
        at={at}
        round={6}
        label={folded.value ? `Entity ${entity.name}` : `Entity ${entity.name}, ${entity.attributes.length + entity.hidden} attributes, key ${keys.join(' and ') || 'none'}`}
        {...{ chosen, tabStop, activate }}
      />
      <path class={`er-head type-${entity.colour}`} d={`M0,${headHeight}V6a6,6 0 0 1 6,-6H${at.width - 6}a6,6 0 0 1 6,6V${headHeight}Z`} />
      <text class={`er-name type-${entity.colour}`} x={10} y={19}>
        {shorten(entity.name, 26)}
      </text>
      {!folded.value && <Rows entity={entity.name} />}
      {entity.attributes.map((attribute, i) => (
        <g key={attribute.name} transform={`translate(0 ${headHeight + 3 + rowHeight * i})`}>
          <title>{`${attribute.name}: ${attribute.references ? `references ${attribute.references}` : attribute.type}${attribute.key ? ', part of the key' : ''}${attribute.optional ? ', optional' : ''}`}</title>
          <text class={attribute.key ? 'er-attribute er-key' : 'er-attribute'} x={10} y={13}>
            {attributeTexts(attribute).left}
          </text>
          <text class="er-type" x={at.width - 10} y={13}>
            {attributeTexts(attribute).right}
          </text>
        </g>
      ))}
      {entity.hidden > 0 && (
        <text class="er-type-left" x={10} y={headHeight + 16 + rowHeight * entity.attributes.length}>
          and {entity.hidden} more
        </text>
      )}
    </g>
  );
}

function Label({ label, at, tabStop }: { label: RelationshipLabel; at: Placed; tabStop: boolean }) {
  const chosen = route.value.query['relationship'] === label.name;
  const activate = () => select('relationship', label.name);
  return (
    <g
      class={chosen ? 'er-box er-label chosen' : 'er-box er-label'}
      transform={`translate(${at.x} ${at.y})`}
      onClick={activate}
    >
      <Frame
        at={at}
        round={at.height / 3}
        label={[`Relationship ${label.name}, ${label.kind}`, ...label.lines].join('; ')}
        {...{ chosen, tabStop, activate }}
      />
      <text class="er-label-name" x={at.width / 2} y={labelLineHeight + 2}>
        {label.name}
      </text>
      {label.lines.map((line, i) => (
        <text key={line} class={i < label.stated ? 'er-strategy' : 'er-cardinality'} x={at.width / 2} y={labelLineHeight * (i + 2) + 2}>
          {line}
        </text>
      ))}
    </g>
  );
}

// One: a bar across the line. Many: a foot of three toes. `end` is where the line meets the box,
// `next` the point before it, straight above or below.
function EndSign({ end, next, kind }: { end: Point; next: Point; kind: End }) {
  if (kind === 'none') return null;
  const away = Math.sign(next.y - end.y);
  const { x, y } = end;
  const d =
    kind === 'one'
      ? `M${x - 6},${y + 8 * away}h12`
      : `M${x - 7},${y}L${x},${y + 12 * away}L${x + 7},${y}`;
  return <path class="er-end" d={d} />;
}

function Lines({ lines, of }: { lines: Line[]; of: Picture }) {
  return (
    <g aria-hidden="true">
      {lines.map((line) => {
        const route = of.layout.routes.get(line.id);
        if (!route || route.length < 2) return null;
        return (
          <g key={line.id} class={`er-line ${line.kind}`}>
            <path class="er-path" d={pathOf(route)} />
            <EndSign end={route[0]!} next={route[1]!} kind={line.fromEnd} />
            <EndSign end={route.at(-1)!} next={route.at(-2)!} kind={line.toEnd} />
          </g>
        );
      })}
    </g>
  );
}

export function ErTab() {
  const drawn = picture.value;
  const frame = useRef<HTMLDivElement>(null);
  // A picture that is wider than its frame begins at the box that is chosen, or the first.
  useLayoutEffect(() => {
    const box = frame.current?.querySelector('[tabindex="0"]')?.getBoundingClientRect();
    if (!box || frame.current!.scrollWidth <= frame.current!.clientWidth) return;
    const around = frame.current!.getBoundingClientRect();
    frame.current!.scrollLeft += (box.left + box.right - around.left - around.right) / 2;
  }, [drawn?.entities.length, zoom.value]);
  if (!drawn) return null;
  const { entity: entityName = '', relationship: relationshipName = '' } = route.value.query;
  const chosen = placeOf(drawn, 'entity', entityName) ?? placeOf(drawn, 'relationship', relationshipName);
  const tabStop = chosen?.id ?? [...drawn.layout.boxes.keys()][0];
  const place = (kind: 'entity' | 'relationship', name: string) => {
    const at = placeOf(drawn, kind, name)!;
    return { at, tabStop: at.id === tabStop };
  };
  const width = drawn.layout.width + 2 * margin;
  const height = drawn.layout.height + 2 * margin;
  return (
    <>
      <div class="tab-head">
        <p class="hint">
          What there is and how it belongs together. On each relationship stands the strategy that stores it. Choose a box to see its text; the arrow keys
          walk.
        </p>
        <Near />
        <button aria-pressed={folded.value} onClick={() => setQuery({ fold: folded.peek() ? '0' : '1' }, { replace: true })} title="Names alone">
          Fold
        </button>
        <button aria-pressed={zoom.value === 1} onClick={() => (zoom.value = zoom.value === 1 ? 'fit' : 1)}>
          Full size
        </button>
      </div>
      <div ref={frame} class={zoom.value === 'fit' ? 'er-scroll fit' : 'er-scroll'}>
        <svg
          role="group"
          aria-label={`Entities of ${model.value!.title}`}
          viewBox={`${-margin} ${-margin} ${width} ${height}`}
          width={width}
          height={height}
          style={{ minWidth: `${Math.min(width, Math.max(width * (folded.value ? smallestFolded : smallest), 300))}px` }}
        >
          <Lines lines={drawn.lines} of={drawn} />
          {drawn.labels.map((label) => (
            <Label key={label.name} label={label} {...place('relationship', label.name)} />
          ))}
          {drawn.entities.map((entity) => (
            <Entity key={entity.name} entity={entity} {...place('entity', entity.name)} />
          ))}
        </svg>
      </div>
      <Switcher relationship={relationshipName} />
    </>
  );
}
