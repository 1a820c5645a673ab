import { expect, it } from 'vitest';
import { type Box, freePlace, isFree } from './free-place';

const AREA: Box = { left: 16, top: 16, right: 374, bottom: 828 };
const TOAST = { width: 358, height: 80 };
const AT_THE_BOTTOM = { left: 16, top: 748 };
const row = (top: number, height: number): Box => ({ left: 16, right: 374, top, bottom: top + height });

it('is where it is wanted while nothing is there', () => {
  expect(freePlace(TOAST, AREA, AT_THE_BOTTOM, [])).toEqual(AT_THE_BOTTOM);
  expect(freePlace(TOAST, AREA, AT_THE_BOTTOM, [row(200, 44)])).toEqual(AT_THE_BOTTOM);
});

it('is right above what is there, with a gap', () => {
  expect(freePlace(TOAST, AREA, AT_THE_BOTTOM, [row(760, 44)])).toEqual({ left: 16, top: 672 });
});

it('passes over gaps that are too narrow', () => {
  const boxes = [row(760, 44), row(640, 44), row(520, 44)];
  expect(freePlace(TOAST, AREA, AT_THE_BOTTOM, boxes)).toEqual({ left: 16, top: 432 });
});

it('moves sideways where that is nearer', () => {
  const wide = { left: 16, top: 16, right: 1264, bottom: 884 };
  const column: Box = { left: 852, right: 1232, top: 300, bottom: 884 };
  expect(freePlace({ width: 400, height: 80 }, wide, { left: 864, top: 804 }, [column])).toEqual({
    left: 444,
    top: 804,
  });
});

it('is nowhere where everything is taken', () => {
  expect(freePlace(TOAST, AREA, AT_THE_BOTTOM, [AREA])).toBeNull();
  expect(isFree(AT_THE_BOTTOM, TOAST, [AREA])).toBe(false);
});
