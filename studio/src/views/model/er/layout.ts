// Layered layout: boxes in rows, links from row to row, nothing on top of anything else.
// Links are turned until they all point down; each box gets the first row below all that point at it
// and that has room; a link over several rows gets a place in each row between; rows are ordered so
// that few links cross; then each row moves as close to its neighbours as its order allows.

export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Link {
  id: string;
  from: string;
  to: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Placed extends Box, Point {
  row: number;
}

export interface Layout {
  boxes: Map<string, Placed>;
  // From the link's `from` to its `to`: points that a line follows, vertical at both ends.
  routes: Map<string, Point[]>;
  width: number;
  height: number;
}

export interface Spacing {
  across: number; // Boxes in a row, at most.
  gapX: number;
  gapY: number; // Between rows; links turn in it.
  stub: number; // How far a link goes straight before it turns; less than half of gapY.
}

const passWidth = 10; // Room for a link that passes through a row.
const sweeps = 12;

interface Node {
  id: string;
  width: number;
  height: number;
  row: number;
  centre: number;
  up: Node[];
  down: Node[];
  passing: boolean;
}

interface Chain {
  link: Link;
  turned: boolean;
  nodes: Node[]; // From the upper end to the lower.
}

export function layOut(boxes: Box[], links: Link[], spacing: Spacing): Layout {
  const nodes = new Map<string, Node>();
  for (const box of boxes) {
    nodes.set(box.id, { ...box, row: 0, centre: 0, up: [], down: [], passing: false });
  }
  const ends = links
    .map((link) => ({ link, from: nodes.get(link.from), to: nodes.get(link.to) }))
    .filter((end): end is { link: Link; from: Node; to: Node } => !!end.from && !!end.to && end.from !== end.to);
  const turned = turnedLinks([...nodes.values()], ends);
  for (const end of ends) {
    const [upper, lower] = turned.has(end.link) ? [end.to, end.from] : [end.from, end.to];
    upper.down.push(lower);
    lower.up.push(upper);
  }
  assignRows([...nodes.values()], spacing.across);
  const chains = ends.map(({ link, from, to }) => makeChain(link, turned.has(link) ? [to, from] : [from, to], turned.has(link)));
  const rows = makeRows([...nodes.values()], chains);
  orderRows(rows);
  placeCentres(rows, spacing.gapX);
  return finish(rows, chains, spacing);
}

// Links that close a circle: turned round, they point down like the others.
function turnedLinks(nodes: Node[], ends: { link: Link; from: Node; to: Node }[]): Set<Link> {
  const out = new Map<Node, { link: Link; to: Node }[]>();
  for (const { link, from, to } of ends) out.set(from, [...(out.get(from) ?? []), { link, to }]);
  const turned = new Set<Link>();
  const state = new Map<Node, 'open' | 'done'>();
  for (const start of nodes) {
    if (state.has(start)) continue;
    const stack = [{ node: start, next: 0 }];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const step = out.get(top.node)?.[top.next++];
      if (!step) {
        state.set(top.node, 'done');
        stack.pop();
      } else if (state.get(step.to) === 'open') turned.add(step.link);
      else if (!state.has(step.to)) {
        state.set(step.to, 'open');
        stack.push({ node: step.to, next: 0 });
      }
    }
  }
  return turned;
}

function assignRows(nodes: Node[], across: number): void {
  const waiting = new Map(nodes.map((node) => [node, node.up.length]));
  const ready = nodes.filter((node) => node.up.length === 0);
  const counts: number[] = [];
  const room = (row: number) => (counts[row] ?? 0) < across;
  const order: Node[] = [];
  for (let node = ready.shift(); node; node = ready.shift()) {
    let row = Math.max(0, ...node.up.map((above) => above.row + 1));
    while (!room(row)) ++row;
    node.row = row;
    counts[row] = (counts[row] ?? 0) + 1;
    order.push(node);
    for (const below of node.down) {
      const left = waiting.get(below)! - 1;
      waiting.set(below, left);
      if (left === 0) ready.push(below);
    }
  }
  // A box with nothing above it moves down to the box it points at.
  for (const node of order) {
    if (node.up.length > 0 || node.down.length === 0) continue;
    let row = Math.min(...node.down.map((below) => below.row)) - 1;
    while (row > node.row && !room(row)) --row;
    --counts[node.row]!;
    counts[row] = (counts[row] ?? 0) + 1;
    node.row = row;
  }
}

function makeChain(link: Link, [upper, lower]: [Node, Node] | Node[], turned: boolean): Chain {
  const nodes = [upper!];
  for (let row = upper!.row + 1; row < lower!.row; ++row) {
    nodes.push({ id: '', width: passWidth, height: 0, row, centre: 0, up: [], down: [], passing: true });
  }
  nodes.push(lower!);
  return { link, turned, nodes };
}

// Empty rows fall away; neighbours are from now on those in the next row.
function makeRows(nodes: Node[], chains: Chain[]): Node[][] {
  for (const node of nodes) Object.assign(node, { up: [], down: [] });
  for (const { nodes: chain } of chains) {
    for (let i = 1; i < chain.length; ++i) {
      chain[i - 1]!.down.push(chain[i]!);
      chain[i]!.up.push(chain[i - 1]!);
    }
  }
  const rows: Node[][] = [];
  const passing = chains.flatMap((chain) => chain.nodes.filter((node) => node.passing));
  for (const node of [...nodes, ...passing]) (rows[node.row] ??= []).push(node);
  return rows.filter((row) => row !== undefined);
}

function orderRows(rows: Node[][]): void {
  let best = rows.map((row) => [...row]);
  let fewest = crossings(rows);
  for (let sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
    const down = sweep % 2 === 0;
    for (let i = 1; i < rows.length; ++i) {
      const row = rows[down ? i : rows.length - 1 - i]!;
      const fixed = positions(rows[down ? i - 1 : rows.length - i]!);
      const own = positions(row);
      const wish = new Map(row.map((node) => [node, mean((down ? node.up : node.down).map((other) => fixed.get(other)!)) ?? own.get(node)!]));
      row.sort((a, b) => wish.get(a)! - wish.get(b)! || own.get(a)! - own.get(b)!);
    }
    const now = crossings(rows);
    if (now < fewest) {
      fewest = now;
      best = rows.map((row) => [...row]);
    }
  }
  best.forEach((row, i) => rows[i]!.splice(0, row.length, ...row));
}

const positions = (row: Node[]) => new Map(row.map((node, i) => [node, i]));

function mean(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function crossings(rows: Node[][]): number {
  let count = 0;
  for (let i = 1; i < rows.length; ++i) {
    const above = positions(rows[i - 1]!);
    const pairs = rows[i]!.flatMap((node, at) => node.up.map((upper) => [above.get(upper)!, at] as const));
    for (let a = 0; a < pairs.length; ++a) {
      for (let b = a + 1; b < pairs.length; ++b) {
        if ((pairs[a]![0] - pairs[b]![0]) * (pairs[a]![1] - pairs[b]![1]) < 0) ++count;
      }
    }
  }
  return count;
}

function placeCentres(rows: Node[][], gap: number): void {
  for (const row of rows) {
    let x = 0;
    for (const node of row) {
      node.centre = x + node.width / 2;
      x += node.width + gap;
    }
  }
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    const down = sweep % 2 === 0;
    for (let i = 0; i < rows.length; ++i) {
      const row = rows[down ? i : rows.length - 1 - i]!;
      const wishes = row.map((node) => mean((down ? node.up : node.down).map((other) => other.centre)) ?? node.centre);
      spread(row, wishes, gap);
    }
  }
}

// The places nearest to the wishes (least squares) that keep the order and the gaps: with the gaps
// taken out, neighbours that would pass each other share their mean.
function spread(row: Node[], wishes: number[], gap: number): void {
  const offsets: number[] = [];
  row.forEach((node, i) => {
    const before = row[i - 1];
    offsets.push(before ? offsets[i - 1]! + before.width / 2 + gap + node.width / 2 : 0);
  });
  const blocks: { sum: number; count: number }[] = [];
  wishes.forEach((wish, i) => {
    blocks.push({ sum: wish - offsets[i]!, count: 1 });
    while (blocks.length > 1) {
      const last = blocks.at(-1)!;
      const before = blocks.at(-2)!;
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.pop();
      before.sum += last.sum;
      before.count += last.count;
    }
  });
  let i = 0;
  for (const { sum, count } of blocks) {
    for (let k = 0; k < count; ++k, ++i) row[i]!.centre = sum / count + offsets[i]!;
  }
}

function finish(rows: Node[][], chains: Chain[], { gapY, stub }: Spacing): Layout {
  const all = rows.flat();
  const left = all.length > 0 ? Math.min(...all.map((node) => node.centre - node.width / 2)) : 0;
  const tops: number[] = [];
  const bottoms: number[] = [];
  let y = 0;
  rows.forEach((row, i) => {
    tops[i] = y;
    bottoms[i] = y + Math.max(0, ...row.map((node) => node.height));
    y = bottoms[i]! + gapY;
  });
  const boxes = new Map<string, Placed>();
  rows.forEach((row, i) => {
    for (const node of row) {
      node.row = i;
      node.centre -= left;
      if (node.passing) continue;
      const { id, width, height } = node;
      boxes.set(id, { id, width, height, x: node.centre - width / 2, y: tops[i]!, row: i });
    }
  });
  const ports = portsOf(chains);
  const routes = new Map<string, Point[]>();
  for (const chain of chains) {
    const route = routeOf(chain, ports, tops, bottoms, stub);
    routes.set(chain.link.id, chain.turned ? route.reverse() : route);
  }
  return {
    boxes,
    routes,
    width: Math.max(0, ...all.map((node) => node.centre + node.width / 2)),
    height: Math.max(0, y - gapY),
  };
}

// Where links leave and enter: along the middle of a box's edge, in the order of where they lead.
function portsOf(chains: Chain[]): Map<Chain, { from: number; to: number }> {
  const ports = new Map(chains.map((chain) => [chain, { from: 0, to: 0 }]));
  const share = (node: Node, own: Chain[], next: (chain: Chain) => Node, set: (chain: Chain, x: number) => void) => {
    own.sort((a, b) => next(a).centre - next(b).centre);
    own.forEach((chain, i) => set(chain, node.centre + node.width * 0.7 * ((i + 1) / (own.length + 1) - 0.5)));
  };
  const nodes = new Set(chains.flatMap((chain) => [chain.nodes[0]!, chain.nodes.at(-1)!]));
  for (const node of nodes) {
    share(node, chains.filter((chain) => chain.nodes[0] === node), (chain) => chain.nodes[1]!, (chain, x) => (ports.get(chain)!.from = x));
    share(node, chains.filter((chain) => chain.nodes.at(-1) === node), (chain) => chain.nodes.at(-2)!, (chain, x) => (ports.get(chain)!.to = x));
  }
  return ports;
}

function routeOf(chain: Chain, ports: Map<Chain, { from: number; to: number }>, tops: number[], bottoms: number[], stub: number): Point[] {
  const { from, to } = ports.get(chain)!;
  const first = chain.nodes[0]!;
  const last = chain.nodes.at(-1)!;
  const route: Point[] = [
    { x: from, y: tops[first.row]! + first.height },
    { x: from, y: bottoms[first.row]! + stub },
  ];
  for (const node of chain.nodes.slice(1, -1)) {
    route.push({ x: node.centre, y: tops[node.row]! - stub }, { x: node.centre, y: bottoms[node.row]! + stub });
  }
  route.push({ x: to, y: tops[last.row]! - stub }, { x: to, y: tops[last.row]! });
  return route;
}

// An SVG path: straight down where two points are above each other, a soft S otherwise.
export function pathOf(route: Point[]): string {
  return route
    .map((point, i) => {
      const before = route[i - 1];
      if (!before) return `M${round(point.x)},${round(point.y)}`;
      if (before.x === point.x) return `V${round(point.y)}`;
      const middle = round((before.y + point.y) / 2);
      return `C${round(before.x)},${middle} ${round(point.x)},${middle} ${round(point.x)},${round(point.y)}`;
    })
    .join('');
}

const round = (value: number) => Math.round(value * 10) / 10;
