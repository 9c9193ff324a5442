// The boxes and lines of the ER picture. A box is a button: it leads to its place in the text; the arrow keys walk from box to box.
import { model } from '../../../design/design.ts';
import { scale, scaledCost } from '../../../design/figures.ts';
import { growthOfKey } from '../../../design/growth.ts';
import { roughly } from '../../../parts/numbers.ts';
import { route } from '../../../app/route.ts';
import { bringIntoSight, folded, select, walk } from './er_state.ts';
import { pathOf, type Placed, type Point } from './layout.ts';
import {
  attributeTexts,
  entityWidth,
  headHeight,
  labelLineHeight,
  noteLineHeight,
  rowHeight,
  shorten,
  type End,
  type EntityBox,
  type Line,
  type NoteBox,
  type Picture,
  type RelationshipLabel,
} from './picture.ts';

interface Placing {
  at: Placed;
  tabStop: boolean;
  lit?: Set<string>; // The boxes that a presentation speaks of; the others step back.
}

// Both ends of a line, or a box, are among the lit ones.
const away = (lit: Set<string> | undefined, ...ids: string[]) => (lit && !ids.every((id) => lit.has(id)) ? ' away' : '');

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
      onFocus={() => bringIntoSight(at)}
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

export function Entity({ entity, at, tabStop, lit }: { entity: EntityBox } & Placing) {
  const chosen = route.value.query['entity'] === entity.name;
  const activate = () => select('entity', entity.name);
  const keys = entity.attributes.filter((attribute) => attribute.key).map((attribute) => attribute.name);
  return (
    <g
      class={`er-box er-entity${chosen ? ' chosen' : ''}${away(lit, at.id)}`}
      transform={`translate(${at.x} ${at.y})`}
      data-id={at.id}
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

export function Label({ label, at, tabStop, lit }: { label: RelationshipLabel } & Placing) {
  const chosen = route.value.query['relationship'] === label.name;
  const activate = () => select('relationship', label.name);
  return (
    <g
      class={`er-box er-label${chosen ? ' chosen' : ''}${away(lit, at.id)}`}
      transform={`translate(${at.x} ${at.y})`}
      data-id={at.id}
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

export function Lines({ lines, of, lit }: { lines: Line[]; of: Picture; lit?: Set<string> }) {
  return (
    <g aria-hidden="true">
      {lines.map((line) => {
        const route = of.layout.routes.get(line.id);
        if (!route || route.length < 2) return null;
        return (
          <g key={line.id} class={`er-line ${line.kind}${away(lit, line.from, line.to)}`}>
            <path class="er-path" d={pathOf(route)} />
            <EndSign end={route[0]!} next={route[1]!} kind={line.fromEnd} />
            <EndSign end={route.at(-1)!} next={route.at(-2)!} kind={line.toEnd} />
          </g>
        );
      })}
    </g>
  );
}

// The comment above a declaration. Its words can be read; they are edited at the box that they belong to.
export function Note({ note, at }: { note: NoteBox; at: Placed }) {
  return (
    <g class="er-note" transform={`translate(${at.x} ${at.y})`} data-id={at.id}>
      <path d={`M0,0H${at.width - 14}L${at.width},14V${at.height}H0Z`} />
      <text>
        {note.lines.map((line, i) => (
          <tspan key={i} x={10} y={noteLineHeight * (i + 1) + 4}>
            {line}
          </tspan>
        ))}
      </text>
    </g>
  );
}
