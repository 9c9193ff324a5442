// Units a second over time: consumed as an area, capacity as a dashed line, throttled requests as bars by reason. The path is made when
// a sample comes; between two samples only the transform moves, so that it runs smoothly.
import { useEffect, useRef } from 'preact/hooks';
import { limitNames, throttledIn, type Flow, type SideName } from './samples.ts';

export interface ChartPoint {
  at: number;
  flow: Flow; // Its throttled requests are those of the table and of its indexes.
  asked?: number | undefined; // Units a second that the view's own load asks for.
}

const width = 640;
const height = 170;
const barsHeight = 34;
const plotTop = 12;
export const chartSeconds = 120;

const limitTitles = { KeyRange: 'limit of a partition', Provisioned: 'provisioned capacity', MaxOnDemand: 'configured maximum', AccountLimit: 'account quota' } as const;

export function niceTop(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(value, 10)));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * step).find((top) => top >= value) ?? value;
}

export function topOf(points: ChartPoint[]): number {
  const highest = points.reduce((most, { flow, asked = 0 }) => Math.max(most, flow.unitsPerSecond, asked, flow.capacity <= flow.unitsPerSecond * 4 ? flow.capacity : 0), 100);
  return niceTop(highest * 1.08);
}

export const figure = (value: number) => Math.round(value).toLocaleString('en-US');

export function LiveChart({ side, points, pace }: { side: SideName; points: ChartPoint[]; pace: number }) {
  const group = useRef<SVGGElement>(null);
  const last = points[points.length - 1];
  const top = topOf(points);
  const x = (at: number) => width - ((last?.at ?? 0) - at) * (width / chartSeconds);
  const y = (value: number) => height - barsHeight - (Math.min(value, top) / top) * (height - barsHeight - plotTop);
  useEffect(() => {
    const element = group.current;
    if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches || points.length < 2) return;
    const step = (points[points.length - 1]!.at - points[points.length - 2]!.at) * (width / chartSeconds);
    const animation = element.animate([{ transform: `translateX(${step}px)` }, { transform: 'none' }], { duration: pace, easing: 'linear' });
    return () => animation.cancel();
  }, [last?.at]);
  const line = (value: (point: ChartPoint) => number) => points.map((point) => `${x(point.at).toFixed(1)},${y(value(point)).toFixed(1)}`).join(' ');
  const shown = (last?.flow.capacity ?? 0) <= top; // A capacity above the scale is a figure beside the title, not a line.
  const most = Math.max(1, ...points.map(({ flow }) => throttledIn(flow)));
  const barWidth = Math.max(1.5, width / chartSeconds - 1);
  return (
    <svg class={`live-chart ${side.toLowerCase()}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(side, last?.flow)}>
      <line class="ground" x1="0" x2={width} y1={y(0)} y2={y(0)} />
      <g ref={group}>
        {points.length > 1 && (
          <>
            <polygon class="consumed" points={`${x(points[0]!.at)},${y(0)} ${line(({ flow }) => flow.unitsPerSecond)} ${x(last!.at)},${y(0)}`} />
            <polyline class="edge" points={line(({ flow }) => flow.unitsPerSecond)} />
            {last!.asked !== undefined && <polyline class="asked" points={line(({ asked, flow }) => asked ?? flow.unitsPerSecond)} />}
            {shown && <polyline class="capacity" points={line(({ flow }) => flow.capacity)} />}
          </>
        )}
        {points.map(({ at, flow }) => {
          let base = height;
          return limitNames.map((limit) => {
            const size = (flow.throttled[limit] / most) * (barsHeight - 6);
            if (size === 0) return null;
            base -= size;
            return <rect key={`${at}${limit}`} class={`refused ${limit}`} x={x(at) - barWidth} y={base} width={barWidth} height={size} />;
          });
        })}
      </g>
    </svg>
  );
}

function describe(side: SideName, flow: Flow | undefined): string {
  if (!flow) return `${side} units: nothing yet`;
  return `${side} units: ${figure(flow.unitsPerSecond)} a second of ${figure(flow.capacity)}, ${throttledIn(flow)} requests throttled`;
}

export function Reasons({ points }: { points: ChartPoint[] }) {
  const counts = limitNames.map((limit) => ({ limit, count: points.reduce((sum, { flow }) => sum + flow.throttled[limit], 0) })).filter(({ count }) => count > 0);
  return (
    <ul class="live-reasons">
      {counts.map(({ limit, count }) => (
        <li key={limit}>
          <i class={`refused ${limit}`} />
          {figure(count)} throttled in {chartSeconds / 60} min: {limitTitles[limit]}
        </li>
      ))}
    </ul>
  );
}
