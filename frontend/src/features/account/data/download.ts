import { ApiError } from '../../../api/client';
import type { Problem } from '../../../api/types';
import { dataTexts } from '../../../texts/data';

const PATH = '/api/account/export';
const FALLBACK_NAME = 'bolts.json';

/** The text at the end of a whole document. The server sends it last, so an answer that was cut lacks it. */
const END = '"complete":true}';

async function refusal(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  return new ApiError(response.status, problem.code ?? 'unknown', problem.detail ?? '', problem);
}

/** The file. An interrupted answer is no file. */
async function fileOf(response: Response): Promise<Blob> {
  const cut = new ApiError(0, 'unreachable', dataTexts.download.cut);
  const file = await response.blob().catch(() => {
    throw cut;
  });
  const end = await file.slice(-END.length - 1).text();
  if (!end.trim().endsWith(END)) throw cut;
  return file;
}

function nameOf(response: Response): string {
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return name?.[1] ?? FALLBACK_NAME;
}

/**
 * Downloads the export and saves it. A link to the address would be simpler, but it could neither ask for the second
 * factor nor show why the server refuses.
 */
export async function download(): Promise<void> {
  const response = await fetch(PATH, { credentials: 'include' }).catch(() => {
    throw new ApiError(0, 'unreachable', dataTexts.download.cut);
  });
  if (!response.ok) throw await refusal(response);
  const address = URL.createObjectURL(await fileOf(response));
  const link = document.createElement('a');
  link.href = address;
  link.download = nameOf(response);
  link.click();
  // The browser has begun to read the file by the next task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
