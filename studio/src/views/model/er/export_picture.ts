// The picture as a file of its own: no style sheet, no script, colours as every program knows them.
import type { Extent, Size } from './camera.ts';

const painted = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
const pixelsMost = 8000; // Of a side of a PNG; browsers paint no larger canvas everywhere.

// The browser answers in oklch(), which few other programs read.
function plainColours(): (colour: string) => string {
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, string>();
  return (colour) => {
    if (!/^(oklch|oklab|color)\(/.test(colour)) return colour;
    if (!known.has(colour)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data;
      known.set(colour, `rgb(${red},${green},${blue})`);
    }
    return known.get(colour)!;
  };
}

export function svgText(svg: SVGSVGElement, extent: Extent, title: string): string {
  svg.dataset['plain'] = ''; // What is chosen or pointed at is nobody else's business.
  try {
    return written(svg, extent, title);
  } finally {
    delete svg.dataset['plain'];
  }
}

function written(svg: SVGSVGElement, extent: Extent, title: string): string {
  const plain = plainColours();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const drawn = [...svg.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(drawn[i]!);
    for (const { name } of [...element.attributes]) if (/^(class|style|role|tabindex|aria-|data-)/.test(name)) element.removeAttribute(name);
    if (element.tagName === 'g' || element.tagName === 'title') return;
    for (const name of painted) {
      const value = plain(style.getPropertyValue(name));
      if (value !== '' && !(name === 'stroke-dasharray' && value === 'none')) element.setAttribute(name, value.replace(/"/g, "'"));
    }
  });
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
  const box = [Math.floor(extent.x), Math.floor(extent.y), Math.ceil(extent.width), Math.ceil(extent.height)];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', box.join(' '));
  copy.setAttribute('width', String(box[2]));
  copy.setAttribute('height', String(box[3]));
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ['x', 'y', 'width', 'height'].forEach((name, i) => ground.setAttribute(name, String(box[i])));
  ground.setAttribute('fill', plain(getComputedStyle(document.documentElement).getPropertyValue('background-color')));
  const name = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = title;
  copy.prepend(name, ground);
  return new XMLSerializer().serializeToString(copy);
}

// Twice as large as on the screen, for slides.
export async function pngOf(svg: string, { width, height }: Size): Promise<Blob> {
  const scale = Math.min(2, pixelsMost / width, pixelsMost / height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not paint the picture. Take the SVG.'))), 'image/png'));
}
