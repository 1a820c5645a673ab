export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Place {
  left: number;
  top: number;
}

interface Size {
  width: number;
  height: number;
}

/** The gap between a toast and the boxes that it must not cover, in pixels. */
const GAP = 8;

/** The area of `box` that a toast of the given place and size covers, in square pixels. */
function covered(place: Place, { width, height }: Size, box: Box): number {
  const across = Math.min(place.left + width, box.right) - Math.max(place.left, box.left);
  const down = Math.min(place.top + height, box.bottom) - Math.max(place.top, box.top);
  return across > 0 && down > 0 ? across * down : 0;
}

export function isFree(place: Place, size: Size, boxes: readonly Box[]): boolean {
  return boxes.every((box) => covered(place, size, box) === 0);
}

/**
 * The place in `area` nearest to `wanted` where a toast of the given size covers none of the boxes. Null if no such
 * place exists. The nearest free place touches the edge of the area or of a box, so only such places are tried.
 */
export function freePlace(size: Size, area: Box, wanted: Place, boxes: readonly Box[]): Place | null {
  const lefts = [wanted.left, area.left, area.right - size.width];
  const tops = [wanted.top, area.top, area.bottom - size.height];
  for (const box of boxes) {
    lefts.push(box.right + GAP, box.left - GAP - size.width);
    tops.push(box.bottom + GAP, box.top - GAP - size.height);
  }
  const inside = (at: number, from: number, to: number) => at >= from && at <= to;
  const distance = ({ left, top }: Place) => Math.hypot(left - wanted.left, top - wanted.top);
  const places = tops
    .filter((top) => inside(top, area.top, area.bottom - size.height))
    .flatMap((top) =>
      lefts
        .filter((left) => inside(left, area.left, area.right - size.width))
        .map((left): Place => ({ left, top })),
    )
    .sort((one, other) => distance(one) - distance(other));
  return places.find((place) => isFree(place, size, boxes)) ?? null;
}
