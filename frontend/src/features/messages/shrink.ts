const MOST_BYTES = 2 * 1024 * 1024;
const MOST_PIXELS = 16_000_000;
/** The longest sides, in pixels, that are tried one after another. */
const SIDES = [4096, 3072, 2048, 1280];
const QUALITY = 0.88;

/**
 * The picture as the server takes it: at most 2 MiB and 16 megapixels. A photograph of a phone is larger, so the browser
 * makes it smaller. Null if no try fits. Throws if the file is no picture.
 */
export async function fitting(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const { width, height } = picture;
    const isKnown = /^image\/(png|jpeg|webp)$/.test(file.type);
    if (isKnown && file.size <= MOST_BYTES && width * height <= MOST_PIXELS) return file;
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(width, height));
      if (width * height * scale * scale > MOST_PIXELS) continue;
      const blob = await drawn(picture, Math.round(width * scale), Math.round(height * scale));
      if (blob && blob.size <= MOST_BYTES) return blob;
    }
    return null;
  } finally {
    picture.close();
  }
}

function drawn(picture: ImageBitmap, width: number, height: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(width, 1);
  canvas.height = Math.max(height, 1);
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  // JPEG has no transparency.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
