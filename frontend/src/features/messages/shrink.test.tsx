import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fitting } from './shrink';

const MIB = 1024 * 1024;
let drawn: [number, number][];
/** The size of the file that the canvas makes, for a number of pixels. */
let bytesOf: (pixels: number) => number;

function file(bytes: number, type = 'image/jpeg'): File {
  return new File([new Uint8Array(bytes)], 'photo', { type });
}

function pictureOf(width: number, height: number) {
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close() {} }));
}

beforeEach(() => {
  drawn = [];
  bytesOf = (pixels) => pixels / 4;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect() {},
    drawImage() {},
  } as unknown as ReturnType<HTMLCanvasElement['getContext']>);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function toBlob(
    this: HTMLCanvasElement,
    done: BlobCallback,
  ) {
    drawn.push([this.width, this.height]);
    done(new Blob([new Uint8Array(Math.round(bytesOf(this.width * this.height)))]));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('leaves a picture that fits as it is', async () => {
  pictureOf(4000, 3000);
  const photo = file(2 * MIB);
  expect(await fitting(photo)).toBe(photo);
  expect(drawn).toEqual([]);
});

it.each([
  ['a large file', 4000, 3000, 5 * MIB, 'image/jpeg', [3072, 2304]],
  ['too many pixels', 8000, 6000, MIB, 'image/jpeg', [3072, 2304]],
  ['another format', 800, 600, MIB, 'image/avif', [800, 600]],
])('makes %s smaller', async (_, width, height, bytes, type, expected) => {
  pictureOf(width, height);
  const small = await fitting(file(bytes, type));
  expect(small?.size).toBeLessThanOrEqual(2 * MIB);
  expect(drawn.at(-1)).toEqual(expected);
});

it('gives up if no size fits', async () => {
  pictureOf(4000, 3000);
  bytesOf = () => 3 * MIB;
  expect(await fitting(file(5 * MIB))).toBeNull();
});

it('fails for a file that is no picture', async () => {
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('no picture')));
  await expect(fitting(file(10))).rejects.toThrow();
});
