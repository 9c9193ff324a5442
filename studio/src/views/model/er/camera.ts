// What of the picture is in sight, as numbers: the point in the middle of the frame, and how many pixels one of its units has.
import type { Point } from './layout.ts';

export interface Camera extends Point {
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

// What the picture covers. Boxes can be dragged left of where it began.
export type Extent = Point & Size;

export const zoomLeast = 0.1;
export const zoomMost = 3;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

const middleX = ({ x, width }: Extent) => x + width / 2;
const middleY = ({ y, height }: Extent) => y + height / 2;

// All of it, no larger than life.
export function fitAll(picture: Extent, frame: Size): Camera {
  const zoom = clamp(Math.min(1, frame.width / picture.width, frame.height / picture.height), zoomLeast, 1);
  return { x: middleX(picture), y: middleY(picture), zoom };
}

// How a picture begins: all of it if its words can be read then, otherwise its top, as wide as the frame or as small as can be read; and where
// it is still wider, its left side: cut on one side only, so that one sees where it goes on.
export function readable(picture: Extent, frame: Size, least: number, near?: Point): Camera {
  const all = fitAll(picture, frame);
  if (all.zoom >= Math.max(least, 0.7)) return all;
  const zoom = Math.max(least, Math.min(1, frame.width / picture.width));
  return within({ zoom, x: near?.x ?? (picture.width * zoom > frame.width ? picture.x : middleX(picture)), y: near?.y ?? picture.y }, picture, frame);
}

// The camera moved so that no side shows emptiness while the other hides something.
export function within(camera: Camera, picture: Extent, frame: Size): Camera {
  const along = (at: number, from: number, size: number, seen: number) => (seen >= size ? from + size / 2 : clamp(at, from + seen / 2, from + size - seen / 2));
  const { zoom } = camera;
  return {
    zoom,
    x: along(camera.x, picture.x, picture.width, frame.width / zoom),
    y: along(camera.y, picture.y, picture.height, frame.height / zoom),
  };
}

// Zooms around a point of the frame, which stays where it is.
export function zoomAt(camera: Camera, by: number, at: Point, frame: Size): Camera {
  const zoom = clamp(camera.zoom * by, zoomLeast, zoomMost);
  const shift = 1 / camera.zoom - 1 / zoom;
  return { zoom, x: camera.x + (at.x - frame.width / 2) * shift, y: camera.y + (at.y - frame.height / 2) * shift };
}

// The least move that brings a box into sight.
export function bring(camera: Camera, box: Extent, frame: Size): Camera {
  const along = (at: number, from: number, size: number, seen: number) =>
    size > seen ? from + size / 2 : clamp(at, from + size - seen / 2, from + seen / 2);
  return {
    zoom: camera.zoom,
    x: along(camera.x, box.x, box.width, frame.width / camera.zoom),
    y: along(camera.y, box.y, box.height, frame.height / camera.zoom),
  };
}

export const viewBoxOf = ({ x, y, zoom }: Camera, { width, height }: Size) =>
  [x - width / zoom / 2, y - height / zoom / 2, width / zoom, height / zoom].map((value) => Math.round(value * 100) / 100).join(' ');
